package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// billMaker writes bills of materials in the format CycloneDX.
const billMaker = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"

// bill returns the bill of materials of a binary, made from what the linker noted in it.
func (r *release) bill(ctx context.Context, path string) ([]byte, error) {
	cmd := r.goCommand(ctx, platform{runtime.GOOS, runtime.GOARCH}, "run", billMaker, "bin", "-json", "-noserial", "-notimestamp", "-std", path)
	text, err := said(cmd)
	if err != nil {
		return nil, err
	}
	return settle([]byte(text), r.at)
}

// settle takes out of a bill what depends on when and by which binary of the tool it was made.
func settle(text []byte, at time.Time) ([]byte, error) {
	var bill map[string]any
	if err := json.Unmarshal(text, &bill); err != nil {
		return nil, fmt.Errorf("bill of materials: %w", err)
	}
	metadata, ok := bill["metadata"].(map[string]any)
	if !ok {
		return nil, errors.New("bill of materials: it has no metadata")
	}
	metadata["timestamp"] = at.Format(time.RFC3339)
	tools, _ := metadata["tools"].([]any)
	for _, tool := range tools {
		if tool, ok := tool.(map[string]any); ok {
			delete(tool, "hashes")
		}
	}
	settled, err := json.Marshal(bill, json.Deterministic(true), jsontext.WithIndent("  "))
	return append(settled, '\n'), err
}
