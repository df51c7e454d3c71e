package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
)

// The built program answers over standard input and output, and ends with its client.
func TestTheProgramAnswersAgents(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "iprof-query")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := must.Get(os.Create(filepath.Join(dir, "game.iprof")))(t)
	w, p := framefile.NewWriter(file, framefile.Info{Program: "game"}), world.NewRandom(1)
	for range 100 {
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	must.Do(t, w.Close())
	must.Do(t, file.Close())
	cmd := exec.Command(program, "mcp", dir)
	var said strings.Builder
	cmd.Stderr = &said
	ctx := context.Background()
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	c := must.Get(client.Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil))(t)
	tools := must.Get(c.ListTools(ctx, nil))(t)
	if n := len(tools.Tools); n == 0 || n > 8 {
		t.Errorf("got %d tools; want at most eight", n)
	}
	for _, tool := range tools.Tools {
		if a := tool.Annotations; tool.Description == "" || a == nil || !a.ReadOnlyHint || *a.OpenWorldHint {
			t.Errorf("%s: got %q, %+v; want a description, and that it only reads", tool.Name, tool.Description, a)
		}
	}
	if words := c.InitializeResult().Instructions; !strings.Contains(words, "Ask in this order") {
		t.Errorf("got %q; want the order of questions", words)
	}
	game := map[string]any{"capture": "game.iprof"}
	r := must.Get(c.CallTool(ctx, &sdk.CallToolParams{Name: "open", Arguments: game}))(t)
	if text := r.Content[0].(*sdk.TextContent).Text; r.IsError || !strings.Contains(text, `"frames":100`) {
		t.Errorf("got %s; want 100 frames", text)
	}
	must.Do(t, c.Close())
	if said.Len() > 0 || !cmd.ProcessState.Success() {
		t.Errorf("got %q, %v; want neither words nor a failure", said.String(), cmd.ProcessState)
	}
}

// The folders must exist, and at least one is needed.
func TestTheProgramNeedsAFolder(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
	}{{nil, 2}, {[]string{filepath.Join(t.TempDir(), "missing")}, 1}, {[]string{"-limits", "time=x", "."}, 2},
		{[]string{"-skill"}, 0}, {[]string{"-h"}, 0}} {
		if code := mcp(c.args); code != c.code {
			t.Errorf("%q: got status %d; want %d", c.args, code, c.code)
		}
	}
}
