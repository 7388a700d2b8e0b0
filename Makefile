# check, and every target but these two, needs Go alone: race also wants a C compiler, lint fetches staticcheck.

GO       ?= go
FUZZTIME ?= 30s

BINARY      := bin/cgp-attest$(shell $(GO) env GOEXE)
GOFMT       := "$(shell $(GO) env GOROOT)/bin/gofmt"
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := build
.PHONY: build test race fuzz lint vet vet-all format staticcheck generate generated bench bench-check check

# One static binary.
build:
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BINARY) ./cmd/cgp-attest

test:
	$(GO) test -timeout 20m ./...

# Under the race detector tests leave out what only takes time, and the hundred thousand questions to other programs are not asked.
race:
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m -skip '^(TestBrokenVariants|TestRunNamesCauses)$$' ./...

# Every fuzz target of every package in turn, FUZZTIME each. None found is a failure: a fuzz run that runs nothing passes too.
fuzz:
	@set -e; found=0; packages=$$($(GO) list ./...); \
	for package in $$packages; do \
		listed=$$($(GO) test -run '^$$' -list '^Fuzz' "$$package"); \
		for target in $$(printf '%s\n' "$$listed" | sed -n '/^Fuzz/p'); do \
			found=$$((found + 1)); \
			echo "fuzz $$package $$target $(FUZZTIME)"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime '$(FUZZTIME)' -fuzzminimizetime 100x "$$package"; \
		done; \
	done; \
	if [ "$$found" -eq 0 ]; then echo "fuzz: no fuzz target found" >&2; exit 1; fi; \
	echo "fuzz: $$found targets, $(FUZZTIME) each"

lint: format vet-all staticcheck

format:
	@unformatted=$$($(GOFMT) -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then printf 'gofmt would change:\n%s\n' "$$unformatted" >&2; exit 1; fi

vet:
	$(GO) vet ./...

vet-all:
	GOOS=linux $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...

staticcheck:
	$(GO) run $(STATICCHECK) ./...

generate:
	$(GO) generate ./...

# Generating changes no file and makes no new one. Compared with the tree as it is, not with the last commit: other edits may
# stand in it.
snapshot = git ls-files -co --exclude-standard -z | xargs -0 cksum 2>&1
generated:
	@if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then \
		echo "generated files: not compared, this is no git checkout"; exit 0; \
	fi; \
	before=$$($(snapshot)); \
	$(MAKE) --no-print-directory generate || exit 1; \
	after=$$($(snapshot)); \
	if [ "$$before" != "$$after" ]; then \
		echo "generated files are not up to date (checksum, size, file, before and after):" >&2; \
		printf '%s\n' "$$before" "$$after" | sort | uniq -u >&2; exit 1; \
	fi

# Speed and memory as ratios, beside what they must be. bench-check fails where a must is missed. For figures in nanoseconds:
# go test -run '^$' -bench . -benchmem ./...
bench:
	CGP_ATTEST_BENCH=table $(GO) test -count=1 -v -run '^TestBudgets$$' -timeout 60m ./archive

bench-check:
	CGP_ATTEST_BENCH=check $(GO) test -count=1 -v -run '^TestBudgets$$' -timeout 60m ./archive

check: format vet test generated
