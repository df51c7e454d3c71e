package viewer

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// setLens toggles the lens: reports show the mean or the sum of its frames in the history, or one frame again.
func setLens(l report.Lens) action {
	return func(_ *process.Session, p *Panel) {
		if p.view.Get().Lens.Kind == l.Kind {
			p.view.SetLens(report.Lens{})
			return
		}
		if l.Kind == report.LensAll {
			l = p.view.Info().Kind.Whole()
		}
		p.view.SetLens(l)
	}
}

// clearLens shows one frame, or the moving average, again. It reports whether there was a lens. Any goroutine may call
// it.
func clearLens(v *process.View) bool {
	if v.Get().Lens.Kind == report.LensOff {
		return false
	}
	v.SetLens(report.Lens{})
	return true
}

// budgets are the frame budgets that a key cycles through, in frames per second.
var budgets = [...]int{30, 60, 75, 90, 120, 144}

// cycleBudget chooses the next shorter budget. After the shortest comes the longest.
func cycleBudget(s *process.Session, p *Panel) {
	now := s.FrameBudget()
	next := time.Second / time.Duration(budgets[0])
	for _, fps := range budgets {
		if d := time.Second / time.Duration(fps); d < now-time.Microsecond {
			next = d
			break
		}
	}
	s.SetFrameBudget(next)
	p.Note("frame budget " + next.Round(10*time.Microsecond).String())
}

func oneFrame(_ *process.Session, p *Panel) { clearLens(p.view) }

const (
	pageRows = 10
	farAway  = 1 << 30 // an age that SetFrame clamps to the oldest; its negative to the newest
)

// moveFrame shows an older or newer frame. It pauses first, so that the view stays on that frame.
func moveFrame(frames int) action {
	return func(s *process.Session, p *Panel) {
		s.Pause()
		p.view.MoveFrame(frames)
	}
}

func moveOver(direction int) action {
	return func(s *process.Session, p *Panel) {
		s.Pause()
		p.view.MoveToOverBudget(direction)
	}
}

func oldestFrame(_ *process.Session, p *Panel) { showFrame(p.view, farAway) }

// showFrame pauses, and shows the frame of an age: 0 is the newest. Ages out of range are clamped. Any goroutine may
// call it.
func showFrame(v *process.View, age int) {
	v.Session().Pause()
	v.SetFrame(age)
}

// slowestFrame shows the slowest frame of the history that still has its report.
func slowestFrame(s *process.Session, p *Panel) {
	frames := s.AppendFrames(nil, farAway)
	slowest := -1
	for i, f := range frames {
		if f.HasReport && (slowest < 0 || f.Judged() > frames[slowest].Judged()) {
			slowest = i
		}
	}
	if slowest >= 0 {
		showFrame(p.view, len(frames)-1-slowest)
		searchOn(p)
	}
}

func goLive(s *process.Session, p *Panel) {
	p.view.SetFrame(-farAway)
	if !p.Options().Finished {
		s.Resume()
	}
	p.change(p.strip.FollowNewest)
}

// walkLate shows the next or previous late frame, within the selected group if there is one.
func walkLate(direction int) action {
	return func(s *process.Session, p *Panel) {
		p.mu.Lock()
		index, found := p.strip.Walk(&p.scene, direction)
		p.mu.Unlock()
		if !found {
			p.Note("no more late frames there")
			return
		}
		s.Pause()
		p.view.ShowFrame(index)
	}
}

func togglePause(s *process.Session, p *Panel) {
	if s.Paused() {
		goLive(s, p)
		return
	}
	s.Pause()
}

// frame shows an old frame. It pauses first, as the keys do, so that the frame's age does not change. Without an
// argument it prints the frame shown.
func (t *Line) frame() error {
	switch n, relative, err := number(t.Rest); {
	case t.Rest == "":
	case err != nil:
		return t.namedFrame()
	case relative:
		t.Session.Pause()
		t.Panel.view.MoveFrame(n)
	default:
		t.Session.Pause()
		t.Panel.view.SetFrame(n)
	}
	t.printFrame()
	return nil
}

func (t *Line) namedFrame() error {
	names := []string{"live", "oldest", "slowest"} // of the viewer's commands
	at, err := Choose("frame", t.Rest, names)
	if err != nil {
		return err
	}
	t.Panel.Run(names[at])
	t.printFrame()
	return nil
}

func (t *Line) printFrame() {
	info := t.Panel.view.Info()
	if info.Frames == 0 {
		t.Printf("no frames yet: the program calls Update once a frame")
		return
	}
	t.Printf("frame %d%s, %d ago, %s%s",
		info.Index, label(info.Label), info.Age, text.Reading(info.Length, info.Tick), paused(info.Paused))
}

func label(s string) string {
	if s == "" {
		return ""
	}
	return " " + text.Name(s)
}

func paused(is bool) string {
	if is {
		return ", paused"
	}
	return ""
}

// lens chooses the frames that reports cover. Without an argument it prints them.
func (t *Line) lens() error {
	v := t.Panel.view
	words, key := cutKey(t.Rest)
	if err := rowsBy(v, key); err != nil {
		return err
	}
	if words == "off" {
		v.SetLens(report.Lens{})
	} else if words != "" {
		l, err := v.ParseFrames(words)
		if err != nil {
			return err
		}
		v.SetLens(l)
	}
	i := v.Info()
	if i.Lens.Kind == report.LensOff {
		t.Printf("lens off: one frame, or the moving average")
	} else {
		t.Printf("lens %s: %s, %s each%s", i.Lens.Words(), printed.Count(i.LensFrames, "frame"),
			text.Duration(i.Length), lost(i.LensLost))
	}
	switch key {
	case "lane":
		printLanes(t, v.AppendLanes(nil))
	case "frame":
		list := i.Lens.Choose(t.Session.AppendFrames(nil, math.MaxInt))
		report.SortBySlowness(list)
		printFrames(t, list[:min(len(list), mostPrinted)], len(list))
	}
	return nil
}

// mostPrinted is the greatest number of frames in a list.
const mostPrinted = 16

// cutKey cuts what rows stand for from a choice of frames: what follows "by", as in "worst:10 by package".
func cutKey(choice string) (words, key string) {
	rest := " " + choice
	at := strings.LastIndex(rest, " by ")
	if at < 0 || strings.ContainsAny(rest[at:], `",:`) {
		return choice, ""
	}
	return strings.TrimSpace(rest[:at]), strings.TrimSpace(rest[at+len(" by "):])
}

// keys are what rows may stand for. Goroutines and frames are lists.
var keys = []string{"zone", "path", "package", "line", "route", "lane", "frame"}

// rowsBy makes a row stand for a key.
func rowsBy(v *process.View, key string) error {
	mode, grouping := report.ReportSelfTime, report.GroupingNone
	switch key {
	case "", "lane", "frame":
		return nil
	case "zone":
	case "path":
		mode = report.ReportCallTree
	case "package":
		grouping = report.GroupingPackage
	case "line":
		grouping = report.GroupingLine
	case "route": // its rows come first
		mode = report.ReportHierarchicalTime
	default:
		return fmt.Errorf("there are no rows by %s here; the nearest is %s; there are %s", text.Name(key),
			cmp.Or(report.Nearest(key, keys), keys[0]), strings.Join(keys, ", "))
	}
	v.SetReportMode(mode)
	v.Arrange(func(a *report.Arrangement) { a.Grouping = grouping })
	return nil
}

func lost(n int) string {
	if n == 0 {
		return ""
	}
	return "; without " + printed.Count(n, "frame") + ", whose records are lost"
}

// slowest lists the slowest frames. With a rank it shows that frame.
func (t *Line) slowest() error {
	list := t.Session.AppendSlowest(nil)
	if t.Rest == "" {
		printFrames(t, list, len(list))
		return nil
	}
	rank, err := strconv.Atoi(t.Rest)
	if err != nil || rank < 1 || rank > len(list) {
		return fmt.Errorf("%q is not a rank: there are 1 to %d", t.Rest, len(list))
	}
	t.Session.Pause()
	t.Panel.view.ShowFrame(list[rank-1].Index)
	t.printFrame()
	return nil
}

// printFrames lists frames, the slowest of some.
func printFrames(t *Line, list []report.FrameSummary, of int) {
	tick := t.Panel.view.Info().Tick
	for rank, f := range list {
		t.Printf("%2d  frame %d%s, %s", rank+1, f.Index, label(f.Label), text.Reading(float64(f.Judged()), tick))
	}
	if of == 0 {
		t.Printf("no frames yet")
	} else if of > len(list) {
		t.Printf("frames %d of %d", len(list), of)
	}
}

// printVerdict prints the verdict on the frame shown and the stacks of the causes.
func (t *Line) printVerdict() {
	var v report.Verdict
	if !t.Panel.view.Verdict(&v) {
		printUsual(t, &v)
		return
	}
	_ = text.WriteVerdict(t, &v) // t keeps the error
	for i := range v.Causes {
		if cause := &v.Causes[i]; cause.Path > 0 {
			t.Printf("  %s", stack(cause, v.Decimals(2)))
		}
	}
}

// printUsual prints that the frame is not unusual.
func printUsual(t *Line, v *report.Verdict) {
	if v.Frames == 0 {
		t.Session.VerdictOf(v, t.Panel.view.Get().Age)
	}
	switch decimals := v.Decimals(1); {
	case v.Frames == 0:
		t.Printf("no frame has ended yet")
	case v.Usual == 0:
		t.Printf("frame %d: %.*f ms, within budget; too few frames to know what is usual", v.Index, decimals, v.Time)
	default:
		t.Printf("frame %d: %.*f ms, usually %.*f: nothing unusual", v.Index, decimals, v.Time, decimals, v.Usual)
	}
}

// stack returns the names of a cause's stack, outermost first, and its numbers beside the usual ones.
func stack(c *report.Cause, decimals int) string {
	var b strings.Builder
	for i := len(c.Callers) - 1; i >= 0; i-- {
		b.WriteString(text.Name(c.Callers[i]) + " > ")
	}
	sign := ""
	if c.Excess >= 0 {
		sign = "+"
	}
	fmt.Fprintf(&b, "%s: %s%s", text.Name(c.Name), sign, draw.AppendTime(nil, c.Excess, decimals))
	if c.Kind != report.CauseCollector && c.Kind != report.CauseLargest {
		ms := func(v float64, decimals int) []byte { return draw.AppendMilliseconds(nil, v, decimals) }
		fmt.Fprintf(&b, ", %s instead of %s +- %s, calls %.4g instead of %.4g", ms(c.Time, decimals),
			ms(c.Usual, decimals), ms(c.Spread, 2), c.Count, c.Often)
	}
	return b.String()
}

func (t *Line) pause() {
	t.Session.Pause()
	t.Printf("paused")
}

func (t *Line) resume() {
	t.Panel.view.SetFrame(-farAway)
	t.Session.Resume()
	t.Printf("running")
}

func (t *Line) toggle() {
	if t.Session.Paused() {
		t.resume()
		return
	}
	t.pause()
}

// slowestSearch is the result of the command "slowest" while older frames are still being read.
type slowestSearch struct {
	active bool
	index  uint64 // the shown frame
}

// soFar stands after numbers of all frames while older frames are still being read.
const soFar = " so far"

// searchOn remembers that the shown frame is the slowest of the frames read so far.
func searchOn(p *Panel) {
	loading := false
	p.change(func() {
		loading = p.options.Loading
		if loading {
			p.search = slowestSearch{true, p.view.Info().Index}
		}
	})
	if loading {
		p.Note("the slowest so far: it goes on looking while older frames are read")
	}
}

// Loaded ends Options.Loading: all frames have been read, so from now on rows are sorted at once. If the user has last
// asked for the slowest frame, it shows the slowest of all frames. Any goroutine may call it.
func (p *Panel) Loaded() {
	was := slowestSearch{}
	p.change(func() {
		p.options.Loading, p.strip.Ribbon.Loading, p.table.Arranger.Steady = false, false, false
		was, p.search = p.search, slowestSearch{}
	})
	s := p.session
	if !was.active || s == nil || p.view.Info().Index != was.index {
		return
	}
	if slowestFrame(s, p); p.view.Info().Index != was.index {
		p.Note("the slowest of all frames")
	}
}
