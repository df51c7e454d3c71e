//go:build !iprof_off

package planted

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	"example.com/iprof/gather"
)

// Hitch is what makes a frame of a game slow, and what is known of it: the function, its place in this folder, and
// words that say why, without an execution trace and with one. A place or function of "" is not known.
type Hitch struct {
	Name          string
	Plant         func(g *Game, p *Turn)
	function      any
	without, with string
	place         string // with a trace, if it is another than the function's
}

// noTrace says what to record.
const noTrace = "it did not run for 1?0.?: an execution trace (exectrace.Watch) would show why"

// Hitches are one of each kind.
var Hitches = []Hitch{
	{"busy loop", func(g *Game, p *Turn) { p.Render = 90 * MS }, (*Game).render,
		"render 90.0 (usually 4.0)", "render 90.0 (usually 4.0)", ""},
	{"many calls", func(g *Game, p *Turn) { p.Calls = 200 }, (*Game).pathfind,
		"called 200 times instead of 4", "called 200 times instead of 4", ""},
	{"first load", func(g *Game, p *Turn) { p.Level = func() { g.Work(80 * MS) } }, (*Game).level,
		"level 80.0 (usually not called)", "level 80.0 (usually not called)", ""},
	{"lock", func(g *Game, p *Turn) {
		p.Spawn = func() {
			g.Stand(100*MS, gather.LaneState{Kind: gather.StateWaiting, Reason: "mutex", Waker: g.Loader,
				Place: "game.go:9", At: "load.go:31"})
		}
	}, (*Game).spawn, noTrace,
		"it waited for mutex for 100.0 (usually not), released by loader at load.go:31", "load.go:31"},
	{"disk", func(g *Game, p *Turn) {
		p.Spawn = func() { g.Stand(100*MS, gather.LaneState{Kind: gather.StateSyscall, Place: "save.go:7"}) }
	}, (*Game).spawn, noTrace, "it was in a system call for 100.0 (usually not) at save.go:7", "save.go:7"},
	{"channel", func(g *Game, p *Turn) {
		p.Spawn = func() {
			g.Stand(100*MS, gather.LaneState{Kind: gather.StateWaiting, Reason: "chan receive", Waker: g.Loader,
				Place: "game.go:9", At: "load.go:40"})
		}
	}, (*Game).spawn, noTrace,
		"it waited for chan receive for 103.0 (usually 3.0), ended by loader at load.go:40", "load.go:40"},
	{"sleep", func(g *Game, p *Turn) {
		p.Spawn = func() {
			g.Stand(100*MS, gather.LaneState{Kind: gather.StateWaiting, Reason: "sleep", Place: "game.go:12"})
		}
	}, (*Game).spawn, noTrace, "The program slept for 100.0 (usually not)", "game.go:12"},
	{"ticker", func(g *Game, p *Turn) {
		p.Spawn = func() {
			g.Stand(100*MS, gather.LaneState{Kind: gather.StateWaiting, Reason: "timer", Place: "game.go:15"})
		}
	}, (*Game).spawn, noTrace, "The program waited for the timer for 100.0 (usually not)", "game.go:15"},
	{"late worker", func(g *Game, p *Turn) { p.Decode = 90 * MS }, (*Game).decode,
		"loader was in decode for 90.0 (usually 3.0)", "loader was in decode for 90.0 (usually 3.0)", ""},
	{"GPU", func(g *Game, p *Turn) { p.Shadow, p.Present = 95*MS, 90*MS }, nil,
		"The GPU worked longer: GPU shadow 95.0 (usually 3.0)", "The GPU worked longer: GPU shadow 95.0", ""},
	{"collector", func(g *Game, p *Turn) {
		p.Render += 60 * MS
		p.Extra = func(f *gather.Frame) { f.Memory.Pause, f.Memory.Cycles = 60*time.Millisecond, 1 }
	}, (*Game).render, "The garbage collector stopped it for 60.0", "The garbage collector stopped it for 60.0", ""},
	{"allocation", func(g *Game, p *Turn) {
		p.Render += 60 * MS
		p.Extra = func(f *gather.Frame) {
			f.Memory.AllocBytes, f.Memory.Cycles, f.Memory.Assist = 180e6, 5, 30*time.Millisecond
		}
	}, (*Game).render, "180.0 MB were allocated", "180.0 MB were allocated", ""},
	{"other programs", func(g *Game, p *Turn) {
		p.Render += 60 * MS
		p.Extra = func(f *gather.Frame) {
			f.Away = gather.Away{Time: 60 * time.Millisecond, Known: gather.AwayExact}
		}
	}, nil, "gave the processor to other programs for 60.0", "gave the processor to other programs for 60.0", ""},
}

// Words returns the function that made the frame slow, "" if none did, and what an explanation of the frame has: words
// of the reason, and the place in the source. traced is for a capture with an execution trace.
func (h *Hitch) Words(traced bool) (function string, words []string) {
	reason, at := h.without, ""
	if traced {
		reason, at = h.with, h.place
	}
	if h.function != nil {
		function = name(h.function)
		if at == "" {
			at = place(h.function)
		}
	}
	return function, append(strings.Split(reason, "?"), at)
}

// place returns the place of a function's first statement, which enters its zone.
func place(function any) string {
	pc := reflect.ValueOf(function).Pointer()
	file, line := runtime.FuncForPC(pc).FileLine(pc)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line+1)
}

// name returns the name of a function as the screen has it.
func name(function any) string {
	name := runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name()
	return name[strings.LastIndexByte(name, '/')+1:]
}
