package capture_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// saidFrame is a frame with remarks in all but frame 1. Frame 2 has as many as a frame can have.
func saidFrame(i int) *gather.Frame {
	begin := platform.Ticks(100 * (i + 1))
	f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 50, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "chunk"}},
		Lanes: []gather.LaneFrame{{ID: 3, Begin: begin, End: begin + 50, Nodes: []gather.Node{{Parent: -1, Self: 50}}}}}
	f.Dropped.Remarks = uint64(7 * i)
	say := func(text string, v float64) {
		f.Remarks = append(f.Remarks, gather.Remark{Time: begin + platform.Ticks(len(f.Remarks)%50), Lane: 3,
			Zone: 1, Level: int32(i), Valued: text == "", Value: v, Text: text})
	}
	switch i {
	case 0:
		say("chunk 12,7", 0)
		say("", -0.25)
		say("\x1b[31m\xff\n", 0)
		say("chunk 12,7", 0)
	case 2:
		for len(f.Remarks) < measure.MaxRemarks {
			say("", float64(len(f.Remarks)))
		}
	}
	return f
}

// A capture has what was said of scopes, and how much was dropped.
func TestRemarksSurvive(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for i := range 3 {
		must.Do(t, w.WriteFrame(saidFrame(i)))
	}
	w.Close()
	if n := strings.Count(file.String(), "chunk 12,7"); n != 1 {
		t.Errorf("a text that was said twice: got it %d times in the file; want once", n)
	}
	for cut := 0; cut < file.Len(); cut += 1 + cut/100 { // never a panic, nor a frame that was not written
		r, err := framefile.NewReader(bytes.NewReader(file.Bytes()[:cut]))
		var f gather.Frame
		for i := 0; err == nil; i++ {
			if err = r.Next(&f); err == nil && len(f.Remarks) != len(saidFrame(i).Remarks) {
				t.Fatalf("cut at %d: got %d remarks in frame %d", cut, len(f.Remarks), i)
			}
		}
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range 3 {
		want := saidFrame(i)
		must.Do(t, r.Next(&f))
		if len(f.Remarks)+len(want.Remarks) > 0 && !reflect.DeepEqual(f.Remarks, want.Remarks) {
			t.Errorf("frame %d: got %+v; want %+v", i, f.Remarks, want.Remarks)
		}
		if f.Dropped.Remarks != want.Dropped.Remarks {
			t.Errorf("frame %d: got %d dropped; want %d", i, f.Dropped.Remarks, want.Dropped.Remarks)
		}
	}
}
