package importer

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/progress"
	"example.com/iprof/process/report"
)

// Frames chooses the ends of frames. In our own files, frames are the slices of the thread "frames". In other files,
// frames are the slices named Name if it is set, or else have the length Every. If Every is 0, slices named "frame" are
// frames; without such slices, frames take 16.7 ms, or longer in files of over 27 minutes. A file with only sums is one
// frame.
type Frames struct {
	Name   string
	Every  time.Duration
	Sample string        // the type of the times of a profile of pprof, such as "wall"; "": its default
	Limits budget.Budget // limits of reading and writing; the zero value is budget.Usual

	Progress progress.Func // of large files, or nil
}

// framesLane returns the index of the lane with the frames of a file of package export, or -1.
func (t *Trace) framesLane() int {
	return slices.IndexFunc(t.lanes, func(l *lane) bool { return t.exported && l.name == "frames" })
}

// kind returns the kind of a file without frames of its own, unless the user chooses some. Others are of KindGame.
func (t *Trace) kind(o Frames) report.Kind {
	_, named := t.ids["frame"]
	switch {
	case o.Name != "" || o.Every != 0:
		return report.KindGame
	case t.whole:
		return report.KindProfile
	case named || t.framesLane() >= 0 || t.recording.begins() != nil:
		return report.KindGame
	}
	return report.KindTrace
}

// account begins the account of a file.
func (o *Frames) account() *budget.Account {
	if o.Limits == (budget.Budget{}) {
		o.Limits = budget.Usual
	}
	return o.Limits.File()
}

// borders removes the slices of frames from the lanes, and returns the begins of frames and the end of the last one.
func (t *Trace) borders(o Frames) ([]int64, error) {
	var borders []int64
	usual, known := t.ids["frame"]
	known = known && o.Name == "" && o.Every == 0 && !t.whole
	at := t.framesLane()
	switch {
	case at >= 0 && o.Name == "":
		for _, s := range t.lanes[at].slices {
			borders = append(borders, s.begin, s.end)
		}
		t.lanes = slices.Delete(t.lanes, at, at+1)
	case o.Name != "":
		zone, known := t.ids[o.Name]
		if !known {
			return nil, fmt.Errorf("there is no slice %q", o.Name)
		}
		borders = t.cutToFrames(t.begins(zone))
	case o.Every < 0:
		return nil, fmt.Errorf("frames of %v: want a time above 0", o.Every)
	case known:
		borders = t.cutToFrames(t.begins(usual))
	case o.Every == 0 && t.recording.begins() != nil:
		borders = t.cutToFrames(t.recording.begins(), t.begin)
	case t.whole && o.Every == 0:
	default:
		every, err := t.every(o.Every)
		if err != nil {
			return nil, err
		}
		for at := t.begin; at < t.end; at += int64(every) {
			borders = append(borders, at)
		}
	}
	borders = append(borders, t.begin, t.end)
	sort.Slice(borders, func(i, k int) bool { return borders[i] < borders[k] })
	if borders = slices.Compact(borders); len(borders) == 1 { // no slice takes any time
		borders = append(borders, borders[0])
	}
	return borders, nil
}

// usualFrame is the default length of frames. mostUsual is the greatest number of such frames, the length of a
// history. Longer files have longer frames.
const (
	usualFrame = time.Second / 60
	mostUsual  = 100_000
)

// longer has the lengths of frames in long files. Beyond these, lengths double.
var longer = []time.Duration{20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
	200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second,
	20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
	20 * time.Minute, 30 * time.Minute, time.Hour}

// every returns the length of frames of fixed length: asked, if it is not 0.
func (t *Trace) every(asked time.Duration) (time.Duration, error) {
	length := t.end - t.begin
	if asked > 0 {
		if err := t.account.Frames(length / int64(asked)); err != nil {
			return 0, fmt.Errorf("frames of %v: make longer ones with -every; %w", asked, err)
		}
		return asked, nil
	}
	most := min(mostUsual, t.account.MaxFrames())
	every := usualFrame
	for i := 0; length/int64(every) >= most && every < math.MaxInt64/4; i++ {
		if i < len(longer) {
			every = longer[i]
		} else {
			every *= 2
		}
	}
	if every != usualFrame {
		t.note = fmt.Sprintf("frames of %v, as the file takes %v (-every chooses another length)", every,
			time.Duration(length).Round(time.Second))
	}
	return every, nil
}

// begins returns the begins of the slices of a zone, and the end of the last one.
func (t *Trace) begins(zone gather.ZoneID) (at []int64, last int64) {
	last = t.begin
	for _, l := range t.lanes {
		for _, s := range l.slices {
			if s.zone == zone {
				at, last = append(at, s.begin), max(last, s.end)
			}
		}
	}
	return at, last
}
