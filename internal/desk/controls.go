package desk

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// takeControls makes the commands that change the measurement act on the remote program. Each asks for the program's
// state first, because another viewer may have changed it.
func (l *link) takeControls() {
	for name, do := range map[string]func(s *process.Session){
		"events":    func(*process.Session) { go l.change("events", toggled("events")) },
		"recording": func(*process.Session) { go l.change("recording", toggled("recording")) },
		"limit":     func(*process.Session) { go l.change("limit", nextLimit) },
		"trace":     func(*process.Session) { go l.change("trace", toggled("trace")) },
		"memory":    func(s *process.Session) { go l.send("memory " + nextMode(s)) },
		"mute":      l.mute,
		"reset":     l.reset,
		"undo":      func(s *process.Session) { s.UndoReset(); go l.send("undo") },
	} {
		command, ok := l.panel.Command(name)
		if !ok {
			continue
		}
		command.Do = func(s *process.Session, _ *viewer.Panel) { do(s) }
		l.panel.AddCommand(command)
	}
}

// toggled returns a function that makes the command to flip a switch from the switch's state.
func toggled(name string) func(answer string) string {
	return func(answer string) string {
		if strings.Contains(answer, name+" on") {
			return name + " off"
		}
		return name + " on"
	}
}

// nextLimit makes the command for the overhead limit that follows the one in the answer: none, 5, 2, 1 per cent.
func nextLimit(answer string) string {
	percent, _, _ := strings.Cut(strings.TrimPrefix(answer, "limit "), " ")
	now, _ := strconv.ParseFloat(percent, 64) // 0 for "off"
	for _, next := range []float64{5, 2, 1} {
		if now == 0 || next < now {
			return fmt.Sprintf("limit %g%%", next)
		}
	}
	return "limit off"
}

// nextMode returns the memory mode that follows the program's.
func nextMode(s *process.Session) string {
	modes := []string{"off", "own", "frame", "zone"}
	return modes[(int(s.MemoryMode())+1)%len(modes)]
}

// mute mutes the cursor's zone in the program, or measures it again.
func (l *link) mute(s *process.Session) {
	var r report.Report
	s.View().AppendReport(&r)
	if row := r.CursorRecord(); row != nil {
		go l.send("mute " + row.Name)
	}
}

func (l *link) reset(s *process.Session) {
	if l.panel.Ask("forget all measurements, in the program, too? once more: yes") {
		s.Reset()
		go l.send("reset")
	}
}

// change asks for a state, and sends the command that follows from the answer.
func (l *link) change(ask string, next func(answer string) string) {
	answer, err := l.command(ask)
	if err != nil {
		l.note("not done: " + err.Error())
		return
	}
	l.send(next(answer))
}

// send sends a command, and shows the program's answer.
func (l *link) send(line string) {
	answer, err := l.command(line)
	if err != nil {
		answer = "not done: " + err.Error()
	}
	l.note(answer)
}

func (l *link) command(line string) (answer string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return l.program.Command(ctx, line)
}

func (l *link) note(text string) {
	l.panel.Note(text)
	l.wake()
}

// callWish holds the zone whose calls the program should count for the card, and the zone whose calls it counts.
type callWish struct {
	mu        sync.Mutex
	want, now string
	busy      bool            // a goroutine is changing now to want
	refused   bool            // the program refused the zone
	requested map[string]bool // all zones so far; of the window's goroutine
}

// countCalls makes the program count the calls of a zone, unless it does already.
func (l *link) countCalls(zone report.ZoneID) (release func()) {
	name := l.session.Zone(zone).Name
	if zone <= 0 || !l.calls.requested[name] && len(l.session.AppendCalls(nil, zone)) > 0 {
		return func() {}
	}
	if l.calls.requested == nil {
		l.calls.requested = make(map[string]bool)
	}
	l.calls.requested[name] = true
	l.request(name)
	return func() { l.request("") }
}

// request sends the zone to the program from a goroutine. While that goroutine waits for an answer, a later request
// replaces an earlier one.
func (l *link) request(zone string) {
	w := &l.calls
	w.mu.Lock()
	defer w.mu.Unlock()
	w.want = zone
	if !w.busy && !w.refused {
		w.busy = true
		go l.grant()
	}
}

// wishAgain sends the wish to a program that has been started again.
func (l *link) wishAgain() {
	l.calls.mu.Lock()
	l.calls.now, l.calls.refused = "", false
	want := l.calls.want
	l.calls.mu.Unlock()
	l.request(want)
}

// wishNone ends the counting. The caller then closes the connection.
func (l *link) wishNone() {
	l.calls.mu.Lock()
	now := l.calls.now
	l.calls.want, l.calls.refused = "", true
	l.calls.mu.Unlock()
	if now != "" {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second/2)
		defer cancel()
		_, _ = l.program.Command(ctx, "calls "+now+" off")
	}
}

func (l *link) grant() {
	w := &l.calls
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.want != w.now && !w.refused {
		line, next := "calls "+w.want+" on", w.want
		if w.now != "" {
			line, next = "calls "+w.now+" off", ""
		}
		w.mu.Unlock()
		_, err := l.command(line)
		w.mu.Lock()
		w.now = next
		if err != nil {
			w.refused = true
			l.note("its calls are not counted: " + err.Error())
		}
	}
	w.busy = false
}
