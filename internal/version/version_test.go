package version_test

import (
	"runtime/debug"
	"strings"
	"testing"

	"example.com/iprof/internal/version"
)

func TestVersionNamesTheRevision(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v0.3.0"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
		{Key: "vcs.modified", Value: "true"}}}
	want := "glviewer v0.3.0 (revision 0123456789ab of 2026-01-02, changed since) go"
	if got := version.Describe("glviewer", "", info); !strings.HasPrefix(got, want) {
		t.Errorf("got %q; want %q first", got, want)
	}
	want = "iprof (devel) go"
	if got := version.Describe("iprof", "", &debug.BuildInfo{}); !strings.HasPrefix(got, want) {
		t.Errorf("built without a module: got %q; want %q first", got, want)
	}
}

// The go command says "(devel)" of a program that is built without a tag, as releases are.
func TestAReleaseSaysItsVersion(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}
	want := "iprof v1.2.3 go"
	if got := version.Describe("iprof", "v1.2.3", info); !strings.HasPrefix(got, want) {
		t.Errorf("got %q; want %q first", got, want)
	}
}
