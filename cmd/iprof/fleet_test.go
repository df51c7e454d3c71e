package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// mostLive returns the most bytes of live objects that the collector saw while a function ran, beyond those before it.
func mostLive(do func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // it looks often
	live := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before, most, done := live(), uint64(0), make(chan bool)
	go func() {
		defer close(done)
		do()
	}()
	for {
		most = max(most, live())
		select {
		case <-done:
			return most - min(before, most)
		case <-time.After(time.Millisecond):
		}
	}
}

// TestDiffOfFleets compares a thousand captures, and holds no more than a few of them at once.
func TestDiffOfFleets(t *testing.T) {
	longtest.Skip(t)
	dir := servers(t, 1000)
	var out bytes.Buffer
	slower, err := 0, error(nil)
	bytesHeld := mostLive(func() {
		slower, err = writeDiff(&out, filepath.Join(dir, "v1"), filepath.Join(dir, "v2"), 5, false)
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Log(bytesHeld>>10, "kB held"); bytesHeld > 64<<20 {
		t.Errorf("it holds %d MB; want 64 at most", bytesHeld>>20)
	}
	line := func(name string) string {
		for l := range strings.Lines(out.String()) {
			if strings.HasSuffix(l, " "+name+"\n") {
				return l
			}
		}
		return ""
	}
	if slower < 1 || !strings.Contains(line("physics"), "slower") || line("path finding")+line("receive") != "" {
		t.Errorf("got %d slower:\n%s\nwant physics, and not what is the same", slower, &out)
	}
	out.Reset()
	second := filepath.Join(dir, "v2")
	if slower, err = writeDiff(&out, second, second, 5, true); err != nil || slower != 0 {
		t.Errorf("a set and itself: got %d slower, %v", slower, err)
	}
	f, err := asjson.Read(&out)
	if err != nil || *f.Comparison.Machines != [2]int{500, 500} || len(f.Comparison.Changes) != 3 {
		t.Fatalf("got %+v, %v; want 500 machines and 3 rows", f, err)
	}
	for _, c := range f.Comparison.Changes {
		if *c.Chance < 0.9 || c.Verdict != "same" {
			t.Errorf("a set and itself: got %+v", c)
		}
	}
}

// TestDiffOfFleetsOfProfiles: each machine's profile took another time, and one machine in five is slow.
func TestDiffOfFleetsOfProfiles(t *testing.T) {
	before, after := t.TempDir(), t.TempDir()
	for i := range 30 {
		load := float64(1 + i%5/4)
		took := time.Duration(1+i%3) * time.Second
		for dir, grown := range map[string]float64{before: 1, after: 1.3} {
			path := profiled(t, "profile", took, load*grown*took.Seconds()*(100+float64(i)), load*took.Seconds()*50)
			must.Do(t, os.Rename(path, filepath.Join(dir, fmt.Sprint("server", i, ".pb.gz"))))
		}
	}
	var out bytes.Buffer
	slower, err := writeDiff(&out, before, after, 5, false)
	if text := out.String(); err != nil || slower != 2 || !strings.Contains(text, "30 profiles before, 30 after") ||
		!strings.Contains(text, "function, self ms a second") || !strings.Contains(text, "physics") ||
		strings.Contains(text, "draw") || strings.Contains(text, "\x1b") {
		t.Errorf("got %d slower, %v:\n%s\nwant physics and all", slower, err, text)
	}
	out.Reset()
	if slower, err = writeDiff(&out, before, before, 5, true); err != nil || slower != 0 {
		t.Errorf("a set and itself: got %d slower, %v", slower, err)
	} else if f, err := asjson.Read(&out); err != nil || f.Comparison.Unit != "ms a second" ||
		f.Comparison.Machines[1] != 30 {
		t.Errorf("got %+v, %v", f, err)
	}
	mixed := servers(t, 12)
	if _, err := writeDiff(&out, before, mixed, 5, false); err == nil || !strings.Contains(err.Error(), "sets are of") {
		t.Errorf("profiles with captures: got %v", err)
	}
}

// TestDiffOfSmallFleets: of six machines a side one zone of 14, a public one, is slower by 15 %.
func TestDiffOfSmallFleets(t *testing.T) {
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for i := range 12 {
		speed := 0.8 + 0.1*float64(i*5%6)
		zones := []zoneTime{{"wait", 5000}}
		for k := range 14 {
			zones = append(zones, zoneTime{fmt.Sprint("zone ", k), speed * float64(300+100*k)})
		}
		if i >= 6 {
			zones[8].ticks *= 1.15
		}
		path := capturedAs(t, uint32(i+1), 100, publicIn(fmt.Sprint("main.", i%3)), zones...)
		must.Do(t, os.Rename(path, filepath.Join(dirs[i/6], fmt.Sprint(i, ".iprof"))))
	}
	var out bytes.Buffer
	slower, err := writeDiff(&out, dirs[0], dirs[1], 5, false)
	if text := out.String(); err != nil || slower != 1 || !strings.Contains(text, "slower  zone 7 (*)\n") ||
		!strings.Contains(text, "6 captures before, 6 after") || strings.Contains(text, "new") {
		t.Errorf("got %d slower, %v:\n%s\nwant zone 7", slower, err, text)
	}
}

func TestDiffOfFleetsNamesWhatIsWrong(t *testing.T) {
	dir := servers(t, 12)
	one := filepath.Join(dir, "v1", "server0.iprof")
	few, bad := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		must.Do(t, os.WriteFile(filepath.Join(bad, name+".iprof"), []byte("nothing"), 0o600))
	}
	for _, test := range []struct{ before, after, want string }{
		{one, dir, "a directory with a directory"},
		{few, dir, "0 captures or profiles are too few to compare: a set has at least 5"},
		{bad, few, "0 captures or profiles are too few"}, // before any is read
		{dir, bad, "a.iprof"},
	} {
		t.Run(test.want, func(t *testing.T) {
			_, err := writeDiff(new(bytes.Buffer), test.before, test.after, 5, false)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: got error %v", test, err)
			}
		})
	}
}
