//go:build !iprof_off

package debug_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
)

// An address with ?set= answers from that set of frames, and a capture of it has the frames of that set only.
func TestAnswersOfASetOfFrames(t *testing.T) {
	tick := iprof.Frames("tick")
	server := httptest.NewServer(debug.Handler())
	defer server.Close()
	over, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-over:
				return
			default:
			}
			for range 3 {
				tick.BeginFrame("a tick")
				iprof.Begin("physics").End()
				tick.EndFrame()
			}
			iprof.Begin("draw").End()
			iprof.Update()
		}
	}()
	defer func() { close(over); <-done }()
	must.Until(t, "a frame of the set has ended", func() bool { return len(tick.AppendFrames(nil, 1)) > 0 })
	get := func(path string) (status int, body string) {
		r := must.Get(http.Get(server.URL + "/debug/iprof/" + path))(t)
		defer r.Body.Close()
		return r.StatusCode, string(must.Get(io.ReadAll(r.Body))(t))
	}
	for path, status := range map[string]int{"report?set=tick": 200, "tree?set=tick": 200, "json?set=tick": 200,
		"report?set=": 200, "report?set=other": 404, "?set=tick": 400, "command?set=tick": 400} {
		if got, body := get(path); got != status || status == 404 && !strings.Contains(body, `"tick"`) {
			t.Errorf("%s: got %d %.200s; want %d", path, got, body, status)
		}
	}
	program := must.Get(remote.New(server.URL+"/debug/iprof/?set=tick", ""))(t)
	body := must.Get(program.Capture(context.Background(), 1))(t)
	defer body.Close()
	path := filepath.Join(t.TempDir(), "tick.iprof")
	must.Do(t, os.WriteFile(path, must.Get(io.ReadAll(body))(t), 0o600))
	s, _, err := capture.Open(path)
	must.Do(t, err)
	frames := s.AppendFrames(nil, 300)
	for _, f := range frames {
		if f.Label != "a tick" {
			t.Fatalf("got the label %q in a capture of the set; want its own", f.Label)
		}
	}
	if len(frames) == 0 {
		t.Error("got no frames in a capture of the set")
	}
	if _, err := remote.New(server.URL+"/debug/iprof/?set=tick&more=1", ""); err == nil {
		t.Error("got no error for another query")
	}
}
