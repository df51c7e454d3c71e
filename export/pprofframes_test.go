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
)

// pprofFrameSums reads a profile. It fails if a sample has no frame.
func pprofFrameSums(t *testing.T, b []byte) sums {
	t.Helper()
	p, err := profile.ParseData(b)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
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
