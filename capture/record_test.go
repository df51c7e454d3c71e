package capture_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// What is read gives the same reports.
func TestASessionAnswersAsTheLiveOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replay.iprof")
	live := process.NewSession()
	r := world.NewGame(7, live)
	recording := must.Get(capture.Record(live, capture.RecordOptions{Path: path}))(t)
	for range 500 {
		must.Do(t, r.Step())
	}
	must.Do(t, recording.Close())
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	read := process.NewSession() // with a history of the live one's length
	contents := must.Get(framefile.Load(read, file))(t)
	if contents.Frames != 500 || !contents.Complete || contents.Lost != 0 || len(contents.Damages) != 0 {
		t.Errorf("the file has %+v", contents)
	}
	for mode := report.ReportSelfTime; mode <= report.ReportCallTree; mode++ {
		for _, age := range []int{0, 1, 250} {
			view := report.View{Mode: mode, Age: age}
			var got, want report.Report
			read.View().AppendReportOf(&got, view)
			live.View().AppendReportOf(&want, view)
			if len(want.Records) < 5 || !reflect.DeepEqual(got.Records, want.Records) {
				t.Errorf("mode %v, age %d: got\n%+v\nwant\n%+v", mode, age, got.Records, want.Records)
			}
		}
	}
}

func TestRecordDoesNotOverwrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "there")
	must.Do(t, os.WriteFile(path, []byte("mine"), 0o600))
	if _, err := capture.Record(process.NewSession(), capture.RecordOptions{Path: path}); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v; want os.ErrExist", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("the file has %q", text)
	}
}

// stuck is a disk that takes nothing until it is released.
type stuck struct{ release chan struct{} }

func (s stuck) Write(p []byte) (int, error) { <-s.release; return len(p), nil }

func TestASlowDiskDropsFrames(t *testing.T) {
	s := process.NewSession()
	disk := stuck{make(chan struct{})}
	recording := capture.RecordTo(s, disk)
	p := newProgram(9)
	for i := 0; recording.Dropped() == 0; i++ {
		if i > 1e6 {
			t.Fatal("no frame was dropped")
		}
		f := p.next()
		for range 50 {
			must.Do(t, recording.WriteFrame(f))
		}
	}
	close(disk.release)
	if err := recording.Close(); err != nil {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAFullDiskStopsTheRecording(t *testing.T) {
	s := process.NewSession()
	recording := capture.RecordTo(s, full{})
	r := world.NewGame(1, s)
	for range 100 {
		must.Do(t, r.Step())
	}
	if err := recording.Close(); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("got %v; want the disk's error", err)
	}
}

// FuzzReader: no input panics, and what is taken in holds together.
func FuzzReader(f *testing.F) {
	file, _ := written(f, 5, 30, true)
	f.Add(file)
	f.Add(file[:len(file)/2])
	f.Add(small(f)) // as the first minute of fuzzing makes large ones smaller
	f.Fuzz(func(t *testing.T, file []byte) {
		s := process.NewSession()
		c, err := framefile.Load(s, bytes.NewReader(file))
		if err == nil && c.Frames > 0 {
			look(s)
		}
	})
}

// Only the owner may read what a program did.
func TestARecordingIsItsOwners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other permissions")
	}
	path := filepath.Join(t.TempDir(), "own.iprof")
	recording := must.Get(capture.Record(process.NewSession(), capture.RecordOptions{Path: path}))(t)
	defer recording.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v; want permissions 0600", info.Mode(), err)
	}
}
