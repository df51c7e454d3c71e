package capture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// piece is a chunk of a file.
type piece struct {
	kind    byte
	payload []byte
}

func piecesOf(file []byte) (list []piece) {
	for _, at := range chunksOf(file) {
		length, n := binary.Uvarint(file[at+1:])
		list = append(list, piece{file[at], file[at+1+n:][:length]})
	}
	return list
}

// joined is a file of pieces, with right sums.
func joined(head []byte, list []piece) []byte {
	f := forged(slices.Clone(head[:headBytes]))
	for _, p := range list {
		f.chunk(p.kind, p.payload)
	}
	return f
}

// Definitions may follow what uses them, as in old files and behind damage. The frames are the same.
func TestDefinitionsMayFollow(t *testing.T) {
	a := newAllOf(t, 2)
	var list, calls, others, late []piece
	for _, p := range piecesOf(a.file) {
		switch {
		case strings.ContainsRune("ZCNWB", rune(p.kind)):
			late = append(late, p)
		case p.kind == 'H':
			calls = append(calls, p)
		case p.kind == 'F':
			list = slices.Concat(list, calls, others, late, []piece{p})
			calls, others, late = nil, nil, nil
		case p.kind == 'K':
			list = append(list, p)
		default:
			others = append(others, p)
		}
	}
	list = slices.Concat(list, calls, others)
	first := func(file []byte) []gather.Calls {
		r := must.Get(framefile.NewReader(bytes.NewReader(file)))(t)
		must.Do(t, r.Next(new(gather.Frame)))
		return r.Calls().AppendCalls(nil)
	}
	before := first(a.file)
	a.file = joined(a.file, list)
	a.check(t)
	if after := first(a.file); len(before) == 0 || !reflect.DeepEqual(after, before) {
		t.Errorf("after the first frame: got calls\n%+v\nwant\n%+v", after, before)
	}
}

// What stands between two keys without a frame belongs to no frame.
func TestAKeyForgetsWhatHasNoFrame(t *testing.T) {
	a := newAllOf(t, 3)
	ofNext := func(p piece) bool { return strings.ContainsRune("EMUGSQR", rune(p.kind)) }
	pieces := piecesOf(a.file)
	isKey := func(p piece) bool { return p.kind == 'K' }
	at := 1 + slices.IndexFunc(pieces, isKey)
	at += slices.IndexFunc(pieces[at:], isKey) // the second key
	before, after := slices.Clone(pieces[:at]), slices.DeleteFunc(slices.Clone(pieces[at:]), ofNext)
	lost := slices.DeleteFunc(slices.Clone(before), func(p piece) bool { return !ofNext(p) })
	want, _, r := readAll(t, joined(a.file, slices.Concat(before, after)))
	hot := r.Hot()
	got, damages, r := readAll(t, joined(a.file, slices.Concat(before, lost, after)))
	if len(got) != len(a.frames) || len(want) != len(got) || damages > 0 || len(lost) == 0 {
		t.Fatalf("got %d of %d frames, %d damages, %d chunks", len(got), len(want), damages, len(lost))
	}
	for i := range got {
		if text := differences(got[i], want[i]); text != "" {
			t.Errorf("frame %d:%s", i, text)
		}
	}
	if !reflect.DeepEqual(r.Hot(), hot) || hot.Frames != nil {
		t.Errorf("got hot lines\n%+v\nwant\n%+v", r.Hot(), hot)
	}
}

// sound returns what a session may not be given in a frame, or "".
func sound(f *gather.Frame, r *framefile.Reader) string {
	zone := func(z gather.ZoneID) bool { return z >= 0 && int(z) < len(f.Zones) }
	for i := range f.Lanes {
		l := &f.Lanes[i]
		for k, n := range l.Nodes {
			if !zone(n.Zone) || int(n.Parent) >= k || n.Parent < -1 || (n.Parent < 0) != (k == 0) || n.Depth < 0 ||
				n.ID >= 1<<22 || n.Estimated > gather.EstimatedTime {
				return fmt.Sprintf("lane %d, node %d: %+v", i, k, n)
			}
		}
		for k, x := range l.Extras {
			if x.Node < 0 || int(x.Node) >= len(l.Nodes) || k > 0 && x.Node <= l.Extras[k-1].Node ||
				!(x.Variance >= 0) {
				return fmt.Sprintf("lane %d, extra %d: %+v", i, k, x)
			}
		}
		if len(l.Nodes) == 0 {
			return "a lane without a root"
		}
	}
	for _, v := range f.Values {
		if v.Counter < 0 || int(v.Counter) >= len(f.Counters) || v.Value-v.Value != 0 {
			return fmt.Sprintf("value %+v", v)
		}
	}
	texts := 0
	for _, m := range f.Remarks {
		if texts += len(m.Text); !zone(m.Zone) || m.Level < 0 || m.Level >= 1<<22 || m.Value-m.Value != 0 ||
			len(m.Text) > 1024+len("…") || texts > measure.MaxRemarkBytes {
			return fmt.Sprintf("remark %+v", m)
		}
	}
	for _, c := range f.SlowCalls {
		for _, p := range c.Parts {
			if !zone(p.Zone) || p.Level < 0 || p.Level > measure.MaxCallParts {
				return fmt.Sprintf("part %+v", p)
			}
		}
		if !zone(c.Zone) || len(c.Parts) > measure.MaxCallParts {
			return fmt.Sprintf("slow call %+v", c)
		}
	}
	for _, s := range f.States {
		if s.Kind >= measure.NumStateKinds || s.End <= s.Begin {
			return fmt.Sprintf("state %+v", s)
		}
	}
	if len(f.Marks) > measure.MaxMarks || len(f.Remarks) > measure.MaxRemarks || len(f.States) > 1<<15 ||
		len(f.SlowCalls) > measure.MaxSlowCalls || len(f.Section.Name) > 1024+len("…") ||
		f.Memory.Mode >= measure.NumMemoryModes || f.Away.Known > gather.AwayExact ||
		f.Clock.Source > platform.SourceProgram {
		return "too much"
	}
	return soundSources(r, zone)
}

// soundSources is sound for what does not stand in a frame.
func soundSources(r *framefile.Reader, zone func(gather.ZoneID) bool) string {
	if from := r.Events(); from != nil {
		for lane := range gather.LaneID(3) {
			since, kept := from.EventsSince(lane)
			events := from.AppendEvents(nil, lane, -platform.MaxTicks, platform.MaxTicks)
			for i, e := range events {
				if !kept || !zone(e.Zone) || e.Node >= 1<<22 || e.Level < 0 || i > 0 && e.Time < events[i-1].Time {
					return fmt.Sprintf("event %+v since %d", e, since)
				}
			}
		}
	}
	if from := r.Calls(); from != nil {
		for _, c := range from.AppendCalls(nil) {
			if !zone(c.Zone) || c.Node >= 1<<22 || c.FromEvents {
				return fmt.Sprintf("calls %+v", c)
			}
		}
	}
	for _, p := range r.Pictures() {
		if !p.Picture.Valid() {
			return fmt.Sprintf("picture %d x %d", p.Picture.Width, p.Picture.Height)
		}
	}
	return ""
}

// Whatever number stands in the place of another one, a reader refuses it, or its frames are sound. A session can be
// looked at.
func TestNumbersThatLie(t *testing.T) {
	file := small(t)
	pieces := piecesOf(file)
	step, frames := 1, 0
	if testing.Short() {
		step = 7
	}
	for i, p := range pieces {
		if strings.ContainsRune("DXJ", rune(p.kind)) { // read elsewhere
			continue
		}
		for at, b := range p.payload {
			for n, lie := range []uint64{0, 1, 2, 3, uint64(b) + 1, uint64(max(b, 1) - 1), 32, 33, 64, 65, 127, 255,
				1<<16 - 1, 1 << 16, 1<<22 - 1, 1 << 22, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
				if (i+at+n)%step > 0 {
					continue
				}
				other := slices.Clone(pieces)
				other[i].payload = slices.Concat(p.payload[:at], numbers(lie), p.payload[at+1:])
				r := must.Get(framefile.NewReader(bytes.NewReader(joined(file, other))))(t)
				for range 2 * len(pieces) {
					var f gather.Frame
					if r.Next(&f) != nil {
						continue
					}
					frames++
					if wrong := sound(&f, r); wrong != "" {
						t.Fatalf("chunk %d %q, %d in the place of byte %d: %s", i, p.kind, lie, at, wrong)
					}
				}
			}
		}
	}
	if frames < 1000 {
		t.Errorf("got %d frames; want more", frames)
	}
}

// times returns so many elements.
func times[T any](n int, of func(i int) T) (list []T) {
	for i := range n {
		list = append(list, of(i))
	}
	return list
}

// greatest is a frame with as much as a frame may have of each kind, and more.
func greatest(more int) *gather.Frame {
	text := strings.Repeat("x", 1024+more)
	f := &gather.Frame{TicksPerSecond: 1e6, End: 1000, Section: gather.SectionInfo{Number: 1, Name: text},
		Zones:    times(9, func(i int) gather.ZoneInfo { return gather.ZoneInfo{Line: 1<<31 - 1 - i} }),
		Counters: times(1024, func(i int) gather.CounterInfo { return gather.CounterInfo{Name: fmt.Sprint(i)} })}
	f.Marks = times(measure.MaxMarks+more, func(i int) gather.MarkInfo {
		return gather.MarkInfo{Time: platform.Ticks(i), Text: text[:1024]}
	})
	f.Remarks = times(measure.MaxRemarks+more, func(i int) gather.Remark {
		return gather.Remark{Time: platform.Ticks(i), Zone: 8, Level: 1<<22 - 1, Text: text[:measure.MaxRemarkBytes/
			measure.MaxRemarks]}
	})
	f.States = times(1<<15+more, func(i int) gather.LaneState {
		return gather.LaneState{Kind: gather.StateGone, Begin: platform.Ticks(i), End: platform.Ticks(i) + 1}
	})
	f.SlowCalls = times(measure.MaxSlowCalls+more, func(i int) gather.SlowCall {
		return gather.SlowCall{Zone: 8, End: platform.Ticks(i), Parts: times(measure.MaxCallParts+more,
			func(int) gather.CallPart {
				return gather.CallPart{Zone: 8, Level: measure.MaxCallParts, Count: 1<<32 - 1}
			})}
	})
	f.Values = []gather.CounterValue{{Counter: 1023, Value: 1}}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: text, Nodes: []gather.Node{{Parent: -1, ID: 1<<22 - 1}, {Zone: 8,
		Depth: 1<<31 - 1, Count: 1<<32 - 1}}, Extras: []gather.NodeExtra{{Node: 1, More: 1<<32 - 1}}}}
	f.Misuse.Notes, f.Label = []string{text}, text
	return f
}

// A frame with as much as it may have comes back whole. What is more is left out, and nothing else.
func TestAsMuchAsAFrameMayHave(t *testing.T) {
	for more := range 3 {
		f := greatest(more)
		var file bytes.Buffer
		w := framefile.NewWriter(&file, capture.Info{})
		must.Do(t, w.WriteFrame(f))
		must.Do(t, w.Close())
		got, damages, _ := readAll(t, file.Bytes())
		f.Marks, f.Remarks = f.Marks[:measure.MaxMarks], f.Remarks[:measure.MaxRemarks]
		f.States, f.SlowCalls = f.States[:1<<15], f.SlowCalls[:measure.MaxSlowCalls]
		for i := range f.SlowCalls {
			f.SlowCalls[i].Parts = f.SlowCalls[i].Parts[:measure.MaxCallParts]
		}
		f.Section.Name = measure.CopyName(f.Section.Name)
		if len(got) != 1 || damages > 0 {
			t.Fatalf("%d more: got %d frames, %d damages", more, len(got), damages)
		}
		if text := differences(got[0], *f); text != "" {
			t.Errorf("%d more:%.3000s", more, text)
		}
	}
}

// The texts of remarks are cut, and have a limit together.
func TestLongRemarksAreCut(t *testing.T) {
	f := &gather.Frame{TicksPerSecond: 1e6, End: 1000, Zones: []gather.ZoneInfo{{}},
		Lanes: []gather.LaneFrame{{Nodes: []gather.Node{{Parent: -1}}}}}
	want := 0
	for i := range 300 {
		text := fmt.Sprint(i) + strings.Repeat("é", 300+i)
		f.Remarks = append(f.Remarks, gather.Remark{Time: platform.Ticks(i), Text: text})
		if cut := measure.CopyName(text); want+len(cut) <= measure.MaxRemarkBytes {
			want += len(cut)
		}
	}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	must.Do(t, w.WriteFrame(f))
	got, _, _ := readAll(t, file.Bytes())
	sum := 0
	for i, m := range got[0].Remarks {
		if sum += len(m.Text); m.Text != measure.CopyName(f.Remarks[i].Text) {
			t.Fatalf("remark %d: got %d bytes of %d", i, len(m.Text), len(f.Remarks[i].Text))
		}
	}
	if sum != want || len(got[0].Remarks) == len(f.Remarks) {
		t.Errorf("got %d remarks of %d bytes; want %d bytes", len(got[0].Remarks), sum, want)
	}
}

// Pictures of 1 to 480 pixels a side are read, if they have that many pixels, and no others.
func TestSizesOfPictures(t *testing.T) {
	const most = report.MaxPictureSide
	sides := []int{0, 1, 2, most - 1, most, most + 1}
	for _, width := range sides {
		for _, height := range sides {
			p := report.FramePicture{Frame: 1, Picture: &report.Picture{Width: max(width, 1), Height: height,
				Pixels: make([]byte, 3*max(width, 1)*height)}}
			for i := range p.Picture.Pixels {
				p.Picture.Pixels[i] = byte(i * i)
			}
			f := forged(framefile.AppendPicture(small(t)[:headBytes], &p))
			if width == 0 {
				payload := piecesOf(f)[0].payload
				f = joined(f, []piece{{'P', slices.Concat(payload[:1], []byte{0}, payload[2:])}})
			}
			r := must.Get(framefile.NewReader(bytes.NewReader(f)))(t)
			err := r.Next(new(gather.Frame))
			fits := width > 0 && height > 0 && width <= most && height <= most
			if got := r.Pictures(); (len(got) == 1) != fits || fits && !bytes.Equal(got[0].Picture.Pixels,
				p.Picture.Pixels) || err == nil {
				t.Errorf("%d x %d: got %d pictures, %v; want one: %v", width, height, len(got), err, fits)
			}
		}
	}
}

// Whatever bit of the chunks at its end is wrong, and wherever they are cut, a file is opened, and has its frames.
func TestEveryBitOfTheIndex(t *testing.T) {
	const frames = 20
	b, _ := longCapture(t, frames)
	at, _ := indexOf(t, b)
	check := func(what string, bad []byte) {
		t.Helper()
		_, _, c, err := framefile.NewestOf(process.NewSession(), bytes.NewReader(bad), int64(len(bad)), frames)
		if err != nil || c.Frames != frames {
			t.Fatalf("%s: got %v, %d frames", what, err, c.Frames)
		}
	}
	for i := 8 * at; i < 8*len(b); i++ {
		bad := bytes.Clone(b)
		bad[i/8] ^= 1 << (i % 8)
		check(fmt.Sprintf("bit %d of byte %d behind the frames", i%8, i/8-at), bad)
	}
	for end := at; end < len(b); end++ {
		check(fmt.Sprintf("cut %d bytes behind the frames", end-at), b[:end])
	}
}

// Zones and counters up to a number may lack their definition, which may have been damaged. Others are refused.
func TestDefinitionsThatWereLost(t *testing.T) {
	for zone, fits := range map[uint64]bool{0: true, 1: true, 1<<16 - 1: true, 1 << 16: false, 1<<16 + 1: false} {
		f := forged(small(t)[:headBytes])
		f.key()
		f.frame(lane(1, func(uint64) []byte { return node(1, zone, 1) }, numbers(0)))
		got, damages, _ := readAll(t, f)
		if (len(got) == 1) != fits || (damages == 0) != fits || fits && (got[0].Lanes[0].Nodes[1].Zone != gather.ZoneID(
			zone) || len(got[0].Zones) != int(zone)+1) {
			t.Errorf("zone %d: got %d frames, %d damages; want that it fits: %v", zone, len(got), damages, fits)
		}
	}
	for counter, fits := range map[uint64]bool{0: true, 1<<10 - 1: true, 1 << 10: false} {
		f := forged(small(t)[:headBytes])
		f.key()
		f.chunk('F', numbers(5, 2, 2000, 0, 1, counter), make([]byte, 8), numbers(0))
		got, damages, _ := readAll(t, f)
		if (len(got) == 1) != fits || (damages == 0) != fits || fits && len(got[0].Counters) != int(counter)+1 {
			t.Errorf("counter %d: got %d frames, %d damages; want that it fits: %v", counter, len(got), damages, fits)
		}
	}
}

// A source may have events that no file can have. They are left out, and the others are as they were.
func TestEventsThatAFileCannotHave(t *testing.T) {
	good := []gather.Event{{Time: 10, Zone: 1, Node: 1<<22 - 1}, {Time: 20, Zone: 0, Node: 3, Level: 1<<22 - 1},
		{Time: 20, Zone: 0, Node: 3, Level: 1<<22 - 1, End: true}, {Time: 30, Zone: 1, Node: 1<<22 - 1, End: true}}
	bad := []gather.Event{{Time: 15, Zone: 1, Node: 1 << 22}, {Time: 15, Zone: 1, Node: 2, Level: -1},
		{Time: 15, Zone: 2, Node: 2}, {Time: 15, Zone: 1 << 30, Node: 2}}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	f := &gather.Frame{End: 1000, TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{}, {Name: "zone"}},
		Lanes: []gather.LaneFrame{{ID: 1, Nodes: []gather.Node{{Parent: -1}}}}}
	from := &eventsByLane{of: map[gather.LaneID][]gather.Event{1: slices.Concat(good[:1], bad, good[1:])}}
	must.Do(t, w.WriteJudged(f, &process.Judged{Events: from}))
	r := must.Get(framefile.NewReader(&file))(t)
	must.Do(t, r.Next(f))
	if got := r.Events().AppendEvents(nil, 1, 0, 1000); !slices.Equal(got, good) {
		t.Errorf("got\n%+v\nwant\n%+v", got, good)
	}
}
