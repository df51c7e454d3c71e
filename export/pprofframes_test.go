package export_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// pprofFrameSums reads a profile. It fails if a sample has no frame.
func pprofFrameSums(t *testing.T, b []byte) sums {
	t.Helper()
	p := must.Get(profile.ParseData(b))(t)
	got := sums{}
	for _, s := range p.Sample {
		if len(s.NumLabel["frame"]) != 1 || len(s.Label["lane"]) != 1 {
			t.Fatalf("a sample has the labels %v, %v; want a frame and a lane", s.NumLabel, s.Label)
		}
		got.add(s.Label["lane"][0], s.Location[0].Line[0].Function.Name, s.Value[1], s.Value[0])
	}
	return got
}

// TestGoToolPprofChoosesFrames: the real consumer shows the frames that a label names, and each frame as a root.
func TestGoToolPprofChoosesFrames(t *testing.T) {
	var b bytes.Buffer
	x := export.NewPprof(&b, "game")
	for index := range uint64(5) {
		f := frame()
		f.Index = index
		f.Lanes[0].Nodes[1].Self += ticks(int(index) * 1e6)
		write(t, x, f)
	}
	must.Do(t, x.Close())
	file := filepath.Join(t.TempDir(), "profile")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	for _, test := range []struct{ option, want string }{
		{"-tagfocus=frame=2:3", "11ms"}, {"-tagroot=frame", "7ms"}, {"-tagfocus=lane=main", "25ms"},
	} {
		cmd := exec.Command("go", "tool", "pprof", "-top", "-unit=ms", test.option, file)
		cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), test.want) || !strings.Contains(string(out), "physics") {
			t.Errorf("%s: %v\n%s\nwant physics with %s", test.option, err, out, test.want)
		}
	}
}

// TestSamplesOfLongRunsStandForSeveralFrames: a run of 1.5 million stacks is a profile that opens in seconds. Nothing
// is lost, and the labels say how many frames a sample stands for.
func TestSamplesOfLongRunsStandForSeveralFrames(t *testing.T) {
	longtest.Skip(t)
	const zones, frames, mostSamples = 500, 3000, 1_000_000
	f := gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	nodes := []gather.Node{{Parent: -1}}
	for i := range zones {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
		nodes = append(nodes, gather.Node{Zone: gather.ZoneID(i + 1), Self: 1000, Count: 2})
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Nodes: nodes}}
	var b bytes.Buffer
	x := export.NewPprof(&b, "game")
	for i := range frames {
		f.Index, f.Begin, f.End = uint64(i), platform.Ticks(i)*1e6, platform.Ticks(i+1)*1e6
		f.Lanes[0].Begin, f.Lanes[0].End = f.Begin, f.End
		write(t, x, &f)
	}
	must.Do(t, x.Close())
	p := must.Get(profile.ParseData(b.Bytes()))(t)
	if len(p.Sample) > mostSamples {
		t.Errorf("got %d samples; want %d at most", len(p.Sample), mostSamples)
	}
	calls, covered, last := map[string]int64{}, map[string]int64{}, int64(-1)
	for _, s := range p.Sample {
		name, n := s.Location[0].Line[0].Function.Name, int64(1)
		if several := s.NumLabel["frames"]; len(several) > 0 {
			n = several[0]
		}
		if name == "zone 7" {
			if first := s.NumLabel["frame"][0]; first != last+1 {
				t.Fatalf("a sample begins at frame %d; want %d", first, last+1)
			}
			last += n
		}
		calls[name] += s.Value[0]
		covered[name] += n
	}
	for i := range zones {
		if name := fmt.Sprint("zone ", i); calls[name] != 2*frames || covered[name] != frames {
			t.Errorf("%s: got %d calls in %d frames; want %d in %d", name, calls[name], covered[name], 2*frames, frames)
		}
	}
}

// A profile for go tool pprof in which each sample has its frame.
func ExampleNewPprof() {
	var b bytes.Buffer
	x := export.NewPprof(&b, "game") // defer session.AddSink(x)() writes each frame of a session
	fmt.Println(x.WriteFrame(frame()), x.Close())
	p, err := profile.Parse(&b)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Sample {
		fmt.Println(s.Location[0].Line[0].Function.Name, s.Value, s.Label["lane"], s.NumLabel["frame"])
	}
	// Output:
	// <nil> <nil>
	// physics [3 3000000] [main] [7]
	// (root) [0 1000000] [main] [7]
}
