package tables

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// parts are the parts of captures that tables need. What no table needs is not read.
type parts uint8

const (
	partFrames   parts = 1 << iota // all but the following
	partCalls                      // calls, and the sums of zones and paths
	partVerdicts                   // verdicts and sections, which a session makes of all frames
)

// Set holds the rows of captures. The zero value is empty. One goroutine at a time may use it.
type Set struct {
	captures []capture
	zones    []zone
	paths    []path
	lanes    []laneName
	names    []counter

	frames   []frameRow
	calls    []callRow
	spans    []laneRow
	states   []stateRow
	values   []valueRow
	marks    []markRow
	sections []sectionRow
	verdicts []verdictRow

	runs   map[*Table]*runs
	byName map[string][]int32 // captures; nil: not known
}

// capture is a file.
type capture struct {
	number   int32
	file     string
	folders  [3]string // day, service, version
	info     framefile.Info
	frames   uint64
	complete bool
	damages  int
	budget   float64 // ms; 0: none
}

// zone is a zone of a capture.
type zone struct {
	number, capture int32
	id              report.ZoneID
	info            gather.ZoneInfo

	count      uint64
	self, hier float64 // ms, over all frames
}

// path is a stack of zones of a capture.
type path struct {
	number, zone, level int32
	parent              int32 // -1: the root

	count      uint64
	self, hier float64
}

// laneName is a lane of a capture.
type laneName struct {
	id   report.LaneID
	name string
}

// counter is a counter of a capture.
type counter struct {
	name  string
	level bool
}

// frameRow is a frame.
type frameRow struct {
	number, capture int32
	report.FrameSummary
	at      float64 // s since the first frame of the capture
	cpu     float64 // ms
	section string
}

// callRow has the calls of a path on a lane in a frame.
type callRow struct {
	frame, lane, path int32 // indices
	depth             int32
	count             uint64
	self, hier, error float64
	flags             callFlags
}

type callFlags uint8

const (
	callOpen callFlags = 1 << iota
	callEstimated
	callIdle
)

// laneRow is a lane in a frame.
type laneRow struct {
	frame, lane     int32
	goroutine       uint64
	updater, device bool
	length, idle    float64
	cpu             float64 // ms
	untimed         uint64
}

// stateRow is a state of a lane.
type stateRow struct {
	frame, lane, waker       int32 // waker -1: none
	at, length               float64
	kind                     gather.StateKind
	reason, place, by, where string
}

// valueRow is the value of a counter in a frame.
type valueRow struct {
	frame, counter int32
	value          float64
}

// markRow is a mark.
type markRow struct {
	frame, lane int32 // lane -1: not known
	at          float64
	text        string
}

// sectionRow is a section.
type sectionRow struct {
	capture int32
	report.Section
}

// runs are the ranges of rows of one capture in which the frames ascend, when a table had so many rows.
type runs struct {
	rows    int
	found   []Rows
	capture []int32 // of each
}

// of returns the ranges of a capture.
func (r *runs) of(capture int32) []Rows {
	from, _ := slices.BinarySearch(r.capture, capture)
	to, _ := slices.BinarySearch(r.capture, capture+1)
	return r.found[from:to]
}

// runsOf returns the ranges of a table's rows: one for each capture, or more where it has several runs of a program.
func (s *Set) runsOf(t *Table) *runs {
	known, n := s.runs[t], t.Len(s)
	if known != nil && known.rows == n {
		return known
	}
	known = &runs{rows: n}
	from, last, of := 0, int64(0), int32(-1)
	for row := range n {
		frame := int64(0)
		if t.frame != nil {
			frame = t.frame(s, row)
		}
		if capture := t.capture(s, row); capture != of || frame < last {
			known.end(from, row)
			known.capture = append(known.capture, capture)
			from, of = row, capture
		}
		last = frame
	}
	known.end(from, n)
	if s.runs == nil {
		s.runs = map[*Table]*runs{}
	}
	s.runs[t] = known
	return known
}

// end ends a range.
func (r *runs) end(from, to int) {
	if from < to {
		r.found = append(r.found, Rows{from, to})
	}
}

// named returns the captures with a name.
func (s *Set) named(file string) []int32 {
	if s.byName == nil {
		s.byName = map[string][]int32{}
		for i := range s.captures {
			s.byName[s.captures[i].file] = append(s.byName[s.captures[i].file], int32(i))
		}
	}
	return s.byName[file]
}

// Description describes a capture.
type Description struct {
	Program          string
	Service, Version string // of folders of its path: service=game/version=1.4
	Start            time.Time
}

// Describe describes a capture, by its place in the order of Read.
func (s *Set) Describe(capture int) Description {
	c := &s.captures[capture]
	return Description{c.info.Program, c.folders[1], c.folders[2], c.info.Start}
}

// Captures returns the number of captures, at least 1.
func (s *Set) Captures() int { return max(len(s.captures), 1) }

// Rename changes the text of a capture in the column file.
func (s *Set) Rename(capture int, file string) { s.captures[capture].file, s.byName = file, nil }

// Folders are the columns that folders of a capture's path give: day=2026-11-29/service=game/version=1.4.
var Folders = []string{"day", "service", "version"}

func foldersOf(path string) (values [3]string) {
	for i, key := range Folders {
		values[i] = hive(path, key)
	}
	return values
}

// hive returns the value of a folder key=value in a path, or "".
func hive(path, key string) string {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if value, found := strings.CutPrefix(part, key+"="); found {
			if plain, err := url.PathUnescape(value); err == nil {
				return plain
			}
			return value
		}
	}
	return ""
}

// Limits are what reading may cost, and how files of other tools are read.
type Limits = importer.Frames

// Read adds the rows of a capture, or of a file of another tool that makes one. It reads only what the tables need; nil
// are all. What is damaged is left out, and counted in the table captures.
func (s *Set) Read(name string, limits Limits, needed []*Table) error {
	file, err := importer.OpenFile(name, limits.Limits)
	if err != nil {
		return err
	}
	return s.ReadFile(file, name, limits, needed)
}

// ReadFile is Read for an open file, which it closes.
func (s *Set) ReadFile(file *os.File, name string, limits Limits, needed []*Table) error {
	want := parts(0)
	for _, t := range needed {
		want |= t.parts
	}
	if needed == nil {
		want = partFrames | partCalls | partVerdicts
	}
	if want == 0 {
		return file.Close()
	}
	file, _, err := importer.Opened(file, name, limits)
	if err != nil {
		return err
	}
	defer file.Close()
	if limits.Limits == (budget.Budget{}) {
		limits.Limits = budget.Usual
	}
	c := newCollector(s, name, limits.Limits.File(), want&partCalls != 0)
	if err := c.read(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if want&partVerdicts == 0 {
		return nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := s.judge(file, c); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// judge adds the sections and the verdicts of a capture that was read. They are those that iprof verdicts shows.
func (s *Set) judge(file *os.File, c *collector) error {
	all := process.NewSession()
	all.SetHistoryLimits(framefile.WholeHistory())
	if _, err := framefile.Load(all, c.account.Reader(file)); err != nil {
		return err
	}
	var now process.Snapshot
	all.View().Snapshot(&now, process.SnapshotOptions{Overview: true})
	for _, section := range now.Overview.Sections {
		s.sections = append(s.sections, sectionRow{c.capture, section})
	}
	list := all.AppendFrames(nil, math.MaxInt)
	for i := range list {
		if !list[i].Over {
			continue
		}
		if err := c.account.Late(); err != nil {
			return err
		}
		var v report.Verdict
		if all.VerdictOf(&v, len(list)-1-i) {
			s.verdicts = append(s.verdicts, verdictOf(c.capture, &v, all.Zone))
		}
	}
	return nil
}

// collector adds the frames of one file to a set.
type collector struct {
	set     *Set
	capture int32
	account *budget.Account
	calls   bool // collect these, too

	small   *process.Session // summarizes frames
	pending int              // frames that it has, and the set has no summary of
	begun   bool
	zero    float64 // s, of the begin of the first frame
	program uint64  // whose zones are known
	zones   []int32 // by ZoneID
	lanes   map[report.LaneID]int32
	names   []int32 // by counter
	paths   map[[2]int32]int32
	nodes   []node // of a lane
	held    int64
}

// summarized is the number of frames that are summarized at once. With more zones than manyZones, a history might hold
// fewer frames.
const (
	summarized = 256
	manyZones  = 10_000
)

func newCollector(s *Set, name string, account *budget.Account, calls bool) *collector {
	c := &collector{set: s, capture: int32(len(s.captures)), account: account, calls: calls,
		small: process.NewSession(), held: s.size()}
	c.small.SetHistoryLimits(process.HistoryLimits{Frames: summarized, Slowest: -1})
	s.captures = append(s.captures, capture{number: c.capture, file: name, folders: foldersOf(name)})
	s.byName = nil
	c.restart()
	return c
}

// restart forgets the ids of a program.
func (c *collector) restart() {
	c.zones, c.names = c.zones[:0], c.names[:0]
	c.lanes, c.paths = map[report.LaneID]int32{}, map[[2]int32]int32{}
}

// read adds all frames of a file.
func (c *collector) read(file io.Reader) error {
	r, err := framefile.NewReader(c.account.Reader(file))
	if err != nil {
		return err
	}
	of := &c.set.captures[c.capture]
	var f gather.Frame
	for {
		err := r.Next(&f)
		var damage *framefile.DamageError
		switch {
		case errors.Is(err, io.EOF):
			c.summarize()
			of.info, of.complete = r.Info(), r.Complete()
			if b := c.small.FrameBudget(); b < report.NoBudget {
				of.budget = b.Seconds() * 1000
			}
			c.judgeOver()
			return nil
		case errors.As(err, &damage):
			of.damages++
		case err != nil:
			return err
		default:
			if err := c.take(&f, r); err != nil {
				return err
			}
		}
	}
}

// take adds a frame.
func (c *collector) take(f *gather.Frame, r *framefile.Reader) error {
	of := &c.set.captures[c.capture]
	if of.frames == 0 {
		kind := r.Info().Kind
		c.small.SetSources(func(s *process.Sources) { s.Program.Kind = kind })
	}
	if b := r.Budget(); b > 0 && b != c.small.FrameBudget() {
		c.summarize()
		c.small.SetFrameBudget(b)
	}
	if c.begun && c.program != f.Origin.Program { // the session forgets the other's frames, too
		c.summarize()
		c.restart()
	}
	c.begun, c.program = true, f.Origin.Program
	if err := c.small.WriteFrame(f); err != nil { // inconsistent
		of.damages++
		return nil
	}
	c.add(f)
	of.frames++
	if c.pending++; c.pending == summarized || len(f.Zones) > manyZones {
		c.summarize()
	}
	return c.hold()
}

// hold counts the memory of new rows.
func (c *collector) hold() error {
	held := c.set.size()
	grown := held - c.held
	c.held = held
	return c.account.Hold(grown)
}

// size returns about the bytes of all rows.
func (s *Set) size() int64 {
	return 80*int64(len(s.calls)) + 300*int64(len(s.frames)) + 100*int64(len(s.spans)+len(s.zones)+len(s.paths)) +
		150*int64(len(s.states)+len(s.marks)) + 16*int64(len(s.values))
}

// summarize completes the newest frames with their summaries.
func (c *collector) summarize() {
	list := c.small.AppendFrames(nil, c.pending)
	rows := c.set.frames[len(c.set.frames)-c.pending:]
	rows = rows[len(rows)-len(list):]
	for i := range list {
		rows[i].FrameSummary = list[i]
	}
	c.pending = 0
}

// judgeOver judges all frames by the last budget, as a session does.
func (c *collector) judgeOver() {
	rows := c.set.frames
	for i := range slices.Backward(rows) {
		if rows[i].capture != c.capture {
			return
		}
		rows[i].Over = report.OverBudget(report.DurationOf(float64(rows[i].Judged())/1000), c.small.FrameBudget())
	}
}
