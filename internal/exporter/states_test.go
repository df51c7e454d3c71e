package exporter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// stretch is a state of a lane in a file, in nanoseconds since the first frame that the file has.
type stretch struct {
	lane, begin, end int64
}

// TestSelectionsHaveTheirStates: a file of chosen frames has the states at the times of these, also those that came
// with frames that are not chosen, as those of an execution trace do, and no others.
func TestSelectionsHaveTheirStates(t *testing.T) {
	chrome := slices.IndexFunc(exporter.Formats, func(f exporter.Format) bool { return f.Name == "chrome" })
	for seed := range uint64(30) {
		list, judged, all := framesWithStates(seed)
		file := written(t, list, judged)
		for _, s := range selections {
			want := of(list, s.want(judged.AppendFrames(nil, 100)), &s.pick)
			if len(want) == 0 {
				continue
			}
			var b bytes.Buffer
			pick := s.pick
			must.Do(t, exporter.Formats[chrome].Write(&b, bytes.NewReader(file), &pick))
			got := statesIn(t, b.Bytes())
			if has := statesAt(all, want); !slices.Equal(got, has) {
				t.Fatalf("seed %d, %s of %d frames: got\n%v\nwant\n%v", seed, s.name, len(want), got, has)
			}
			if pick.Overlaps > 0 {
				t.Fatalf("seed %d, %s: got %d overlaps; want 0", seed, s.name, pick.Overlaps)
			}
		}
	}
}

// framesWithStates are frames of two lanes, with gaps between them, whose states come with any later frame. They are on
// a clock of nanoseconds.
func framesWithStates(seed uint64) (list []*gather.Frame, judged *process.Session, all []gather.LaneState) {
	r, at := rand.New(rand.NewPCG(seed, 5)), platform.Ticks(1000)
	judged = process.NewSession()
	judged.SetFrameBudget(500) // ns: some frames are over it
	var late []gather.LaneState
	ends := [3]platform.Ticks{}
	for i := range uint64(60) {
		f := &gather.Frame{Index: i, Begin: at, End: at + platform.Ticks(1+r.IntN(1000)), TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}}}
		for id := gather.LaneID(1); id < 3; id++ {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: id, Name: fmt.Sprint("lane ", id), Updater: id == 1,
				Begin: f.Begin, End: f.End, Nodes: []gather.Node{{Parent: -1, Self: f.End - f.Begin}}})
			for ends[id] < f.End {
				q := gather.LaneState{Lane: id, Kind: gather.StateSyscall}
				q.Begin = ends[id] + platform.Ticks(r.IntN(300))
				q.End = q.Begin + 1 + platform.Ticks(r.IntN(600))
				ends[id] = q.End
				all, late = append(all, q), append(late, q)
			}
		}
		at = f.End + platform.Ticks(r.IntN(2)*r.IntN(400))
		late = slices.DeleteFunc(late, func(q gather.LaneState) bool {
			now := i == 59 || q.End <= f.End && r.IntN(3) == 0
			if now {
				f.States = append(f.States, q)
			}
			return now
		})
		list = append(list, f)
		if err := judged.WriteFrame(f); err != nil {
			panic(err)
		}
	}
	return list, judged, all
}

// statesAt are the states of lanes that frames have, at the times of these frames.
func statesAt(all []gather.LaneState, list []*gather.Frame) (at []stretch) {
	zero := list[0].Begin
	for _, q := range all {
		if slices.ContainsFunc(list, func(f *gather.Frame) bool {
			return q.Begin < f.End && q.End > f.Begin &&
				slices.ContainsFunc(f.Lanes, func(l gather.LaneFrame) bool { return l.ID == q.Lane })
		}) {
			at = append(at, stretch{int64(q.Lane), max(int64(q.Begin-zero), 0), int64(q.End - zero)})
		}
	}
	slices.SortFunc(at, compareStretches)
	return at
}

func compareStretches(a, b stretch) int {
	return strings.Compare(fmt.Sprintf("%d %9d", a.lane, a.begin), fmt.Sprintf("%d %9d", b.lane, b.begin))
}

// statesIn reads the states of a file for Chrome.
func statesIn(t *testing.T, file []byte) (list []stretch) {
	t.Helper()
	var read struct {
		TraceEvents []struct {
			Cat     string
			Tid     int64
			Ts, Dur json.Number
		}
	}
	must.Do(t, json.Unmarshal(file, &read))
	nanos := func(n json.Number) int64 {
		ns := must.Get(strconv.ParseInt(strings.Replace(string(n), ".", "", 1), 10, 64))(t)
		return ns
	}
	for _, e := range read.TraceEvents {
		if e.Cat == "state" {
			list = append(list, stretch{e.Tid & 3, nanos(e.Ts), nanos(e.Ts) + nanos(e.Dur)})
		}
	}
	slices.SortFunc(list, compareStretches)
	return list
}
