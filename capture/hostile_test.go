package capture_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// headBytes is the length of what stands before the first chunk.
const headBytes = 10

// mended returns a capture whose chunks have right sums, so that a fuzzer gets to what is in them.
func mended(file []byte) []byte {
	file = slices.Clone(file)
	for at := headBytes; at+1 < len(file); {
		length, n := binary.Uvarint(file[at+1:])
		end := at + 1 + n + int(min(length, 1<<30))
		if n <= 0 || end+4 > len(file) {
			break
		}
		sum := crc32.Checksum(file[at:end], crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(file[end:], sum)
		at = end + 4
	}
	return file
}

// small is a capture of a few frames with all kinds of chunk but a trace.
func small(f testing.TB) []byte {
	var b bytes.Buffer
	w := framefile.NewWriter(&b, capture.Info{Program: "p"})
	frame := &gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}},
		Counters: []gather.CounterInfo{{Name: "count"}}, Values: []gather.CounterValue{{Value: 2}},
		Marks:  []gather.MarkInfo{{Time: 5, Lane: 1, Text: "mark"}},
		States: []gather.LaneState{{Kind: 2, Lane: 1, Begin: 3, End: 9, Reason: "lock"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Count: 3, Self: 40}}}}}
	frame.Misuse.Notes = []string{"note"}
	calls, lines := newCounted(1, 2), hotLines(1)
	hot := func() *report.HotZones { return lines }
	for range 3 {
		frame.Index, frame.Begin, frame.End = frame.Index+1, frame.End, frame.End+100
		calls.step()
		must.Do(f, w.WriteJudged(frame, &process.Judged{Events: source{6}, Calls: calls, Hot: hot}))
	}
	must.Do(f, w.WritePicture(report.FramePicture{Frame: 2, Picture: pictured(2, 7, 5)}))
	must.Do(f, w.Close())
	return b.Bytes()
}

// FuzzMended: no input with right sums panics, neither as a file nor as one whose newest frames are read first.
func FuzzMended(f *testing.F) {
	file, _ := written(f, 5, 10, true)
	f.Add(file)
	f.Add(small(f))
	f.Fuzz(func(t *testing.T, file []byte) {
		file = mended(file)
		for _, load := range loads {
			s := process.NewSession()
			s.SetHistoryLimits(process.HistoryLimits{Frames: 100, Bytes: 8 << 20})
			if c, err := load(s, bytes.NewReader(file)); err == nil && c.Frames > 0 {
				look(s)
			}
		}
	})
}

// FuzzFollow: two streams after each other, of a program that may be hostile, leave a session that can be looked at.
func FuzzFollow(f *testing.F) {
	file := small(f)
	f.Add(file, file[:len(file)/2])
	f.Add(file[:len(file)-9], file)
	f.Fuzz(func(t *testing.T, first, second []byte) {
		s := process.NewSession()
		s.SetHistoryLimits(process.HistoryLimits{Frames: 100, Bytes: 8 << 20})
		follower := framefile.NewFollower(s)
		for _, stream := range [][]byte{first, second} {
			if err := follower.Follow(bytes.NewReader(mended(stream)), nil); err == nil {
				t.Fatal("a stream ended without an error")
			}
			look(s)
		}
	})
}

// look reads what a viewer reads.
func look(s *process.Session) {
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallTree})
	for age := range 6 {
		s.AppendTimeline(nil, 0, age)
	}
	s.View().AppendReportOf(&report.Report{Want: report.AllColumns}, report.View{})
	s.AppendCalls(nil, 1)
}

// FuzzAnyOrder: no input with right sums panics where frames are read in any order. What an index says is either true
// or refused.
func FuzzAnyOrder(f *testing.F) {
	f.Add(small(f))
	long, _ := longCapture(f, 300)
	f.Add(long)
	_, index := indexOf(f, long)
	f.Add(withIndex(f, long, append([]byte{7}, index[1:]...)))
	f.Fuzz(func(t *testing.T, file []byte) {
		file = mended(file)
		open, err := framefile.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		n := open.Frames()
		for _, part := range [][2]uint64{{n / 3, n/3 + 20}, {0, 5}, {n - min(n, 9), n}, {n + 1, n + 2}} {
			s := process.NewSession()
			if c, err := open.Load(s, part[0], part[1]); err == nil {
				s.View().AppendReport(new(report.Report))
				if c.Frames > 20 {
					t.Fatalf("got %d frames of %v", c.Frames, part)
				}
			}
		}
		s := process.NewSession()
		if _, _, _, err := framefile.NewestOf(s, bytes.NewReader(file), int64(len(file)), 10); err == nil {
			s.View().SetLens(report.Lens{Kind: report.LensAll})
			s.View().AppendReport(new(report.Report))
		}
	})
}
