# check, and every target but these, needs Go alone: race also wants a C compiler, lint fetches staticcheck, release fetches the
# programs that write bills of materials and Debian packages.

GO       ?= go
FUZZTIME ?= 30s

BINARY      := bin/cgp-attest$(shell $(GO) env GOEXE)
GOFMT       := "$(shell $(GO) env GOROOT)/bin/gofmt"
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Where install puts things: DESTDIR is a folder to stand for /, as packagers want it.
PREFIX  ?= /usr/local
DESTDIR ?=
prefix   = $(DESTDIR)$(PREFIX)
man1     = $(prefix)/share/man/man1
bash     = $(prefix)/share/bash-completion/completions
zsh      = $(prefix)/share/zsh/site-functions
fish     = $(prefix)/share/fish/vendor_completions.d

# What signs the checksums of a release: a reference as of sign --key, and the id of the key.
SIGNING_KEY    ?=
SIGNING_KEY_ID ?=

.DEFAULT_GOAL := build
.PHONY: build install uninstall release api test race fuzz lint vet vet-all format staticcheck generate generated bench bench-check kill-matrix check

# One static binary.
build:
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BINARY) ./cmd/cgp-attest

# The binary, a manual page a command, and completions. The script for PowerShell is printed by: cgp-attest completion powershell
install: build
	rm -rf bin/share
	mkdir -p bin/share
	$(BINARY) man --output-dir bin/share/man
	$(BINARY) completion bash >bin/share/bash
	$(BINARY) completion zsh >bin/share/zsh
	$(BINARY) completion fish >bin/share/fish
	install -d "$(prefix)/bin" "$(man1)" "$(bash)" "$(zsh)" "$(fish)"
	install -m 755 $(BINARY) "$(prefix)/bin"
	install -m 644 bin/share/man/*.1 "$(man1)"
	install -m 644 bin/share/bash "$(bash)/cgp-attest"
	install -m 644 bin/share/zsh "$(zsh)/_cgp-attest"
	install -m 644 bin/share/fish "$(fish)/cgp-attest.fish"

uninstall:
	rm -f "$(prefix)/bin/cgp-attest" "$(prefix)/bin/cgp-attest.exe" "$(man1)/cgp-attest.1" "$(man1)"/cgp-attest-*.1
	rm -f "$(bash)/cgp-attest" "$(zsh)/_cgp-attest" "$(fish)/cgp-attest.fish"

# Everything that is published of the commit that the working tree is at, in dist: docs/release.md
release:
	$(GO) run ./internal/release -o dist $(if $(SIGNING_KEY),-key '$(SIGNING_KEY)' -key-id '$(SIGNING_KEY_ID)')

test:
	$(GO) test -timeout 20m ./...

# Under the race detector tests leave out what only takes time: the hundred thousand questions to other programs, and of the vectors and
# the scripts those in which nothing runs beside something else.
race:
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m -skip '^(TestScripts|TestDocs|TestRecipes.*|TestDrivers)$$' $$($(GO) list ./... | grep -v '/testvectors$$')
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m -run '^(TestRun|TestServe|TestOracleHangs)' -skip '^(TestRunNamesCauses|TestRunOracles)$$' ./testvectors
	CGO_ENABLED=1 $(GO) test -race -short -timeout 20m -run '^TestScripts$$/^(compressed|folders|interrupted|progress|record|report|source_root|vectors|verify)' ./cmd/cgp-attest

# Every fuzz target of every package in turn, FUZZTIME each. None found is a failure: a fuzz run that runs nothing passes too.
# On a busy machine go test may say of its own deadline that it is exceeded (golang.org/issue/75804): without a failing input that
# is none.
fuzz:
	@set -e; found=0; packages=$$($(GO) list ./...); \
	for package in $$packages; do \
		listed=$$($(GO) test -run '^$$' -list '^Fuzz' "$$package"); \
		for target in $$(printf '%s\n' "$$listed" | sed -n '/^Fuzz/p'); do \
			found=$$((found + 1)); \
			echo "fuzz $$package $$target $(FUZZTIME)"; \
			said=$$($(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime '$(FUZZTIME)' -fuzzminimizetime 100x "$$package" 2>&1) || { \
				printf '%s\n' "$$said" >&2; \
				printf '%s\n' "$$said" | grep -q '^    context deadline exceeded$$' || exit 1; \
				if printf '%s\n' "$$said" | grep -q -e '^    --- FAIL' -e 'Failing input'; then exit 1; fi; \
			}; \
			printf '%s\n' "$$said" | tail -n 3; \
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

# The exported surface of the packages, docs/api.txt, which generate writes too.
api:
	$(GO) generate ./internal/api

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

# Every mutant of a judgement, over all test vectors, and over the Go tests where no vector shows it; writes docs/kill-matrix.md.
kill-matrix:
	$(GO) run ./internal/kill

check: format vet test generated
