//go:build !iprof_off

package api_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// oneLine enters both private forms, and says where.
//
//go:noinline
func oneLine() (line int) {
	_, _, line, _ = runtime.Caller(0)
	iprof.Begin("placed").End()
	iprof.Func().End()
	return line
}

// The place of a private zone is found in the frame of Begin or Func itself, whatever these do before: also when the
// compiler neither inlines nor optimises.
func TestPrivateZonesKnowTheirPlace(t *testing.T) {
	iprof.SetRecording(false)
	oneLine()
	iprof.SetRecording(true)
	line := oneLine()
	var f gather.Frame
	measure.Peek(&f)
	for _, want := range []struct {
		name string
		line int
	}{{"placed", line + 1}, {"api_test.oneLine", line + 2}} {
		t.Run(want.name, func(t *testing.T) {
			found := 0
			for _, z := range f.Zones {
				if strings.HasSuffix(z.Name, want.name) && filepath.Base(z.File) == "site_test.go" {
					found++
					if z.Line != want.line || !strings.HasSuffix(z.Function, "oneLine") {
						t.Errorf("%s: got %s:%d; want oneLine:%d", want.name, z.Function, z.Line, want.line)
					}
				}
			}
			if found != 1 {
				t.Errorf("%s: got %d zones; want 1", want.name, found)
			}
		})
	}
}

func TestRecordingOffCountsNothing(t *testing.T) {
	iprof.SetRecording(false)
	defer iprof.SetRecording(true)
	if got := iprof.Begin("never"); got != (iprof.Scope{}) {
		t.Errorf("Begin: got %v; want the zero Scope", got)
	}
	if got := iprof.Func(); got != (iprof.Scope{}) {
		t.Errorf("Func: got %v; want the zero Scope", got)
	}
}
