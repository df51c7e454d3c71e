package logmark_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/logmark"
)

// texts returns the texts of the marks since the last call.
func texts() (all []string) {
	var f gather.Frame
	gather.Collect(&f)
	for _, m := range f.Marks {
		all = append(all, m.Text)
	}
	return all
}

func TestLinesAreMarks(t *testing.T) {
	texts()
	var out bytes.Buffer
	next := slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelInfo})
	log := slog.New(logmark.Handler(next))
	log.Info("level loaded", "name", "canyon", slog.Group("size", "x", 3, "y", 4))
	log.With("peer", "10.0.0.7").WithGroup("net").Warn("connection lost", "tries", 3)
	log.Debug("not enabled")
	want := []string{"INFO level loaded name=canyon size.x=3 size.y=4",
		"WARN connection lost peer=10.0.0.7 net.tries=3"}
	if !gather.Enabled {
		want = nil
	}
	if got := texts(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q; want %q", got, want)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 || !strings.Contains(out.String(), "net.tries=3") {
		t.Errorf("next handler: got %q; want the same two lines", &out)
	}
}

func TestHandlerWithoutNext(t *testing.T) {
	texts()
	log := slog.New(logmark.Handler(nil))
	log.Debug("hidden")
	log.With("a", strings.Repeat("long", 1000)).WithGroup("g").Error("\x1b[2J\n", "b", nil)
	got := texts()
	if gather.Enabled && (len(got) != 1 || !strings.HasPrefix(got[0], "ERROR \x1b[2J\n a=long") || len(got[0]) > 1024) {
		t.Errorf("got %q; want one mark, cut", got)
	}
}
