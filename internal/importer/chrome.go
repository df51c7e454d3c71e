// Package importer turns the files of other tools into captures.
package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"example.com/iprof/internal/budget"
)

// event is an event of the trace event format. Ids of threads may be numbers or strings.
type event struct {
	Ph   string
	Name string
	Ts   json.Number
	Dur  json.Number
	Pid  json.RawMessage
	Tid  json.RawMessage
	Args struct {
		Name  any
		Calls *uint32

		Kind  uint8 // of a state, as the next
		At    string
		By    string `json:"ended by"`
		Ended string `json:"ended at"`
		Waker uint64
	}
}

// Chrome reads a file in the trace event format: an object with traceEvents, or only its array. Slices are those of
// kind X, and pairs of B and E. What the account does not allow is an error.
func Chrome(in io.Reader, account *budget.Account) (*Trace, error) {
	d := json.NewDecoder(account.Reader(in))
	t := New(account)
	if err := t.findEvents(d); err != nil {
		return nil, fmt.Errorf("this is no file of trace events: %w", err)
	}
	for d.More() {
		var e event
		err := d.Decode(&e)
		var wrong *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrong): // one event: its arguments are of another form, or it is none
			if e.Ph == "" {
				t.Skipped++
				continue
			}
		case errors.As(err, new(*budget.Error)):
			return nil, err
		case err != nil && t.slices > 0: // a program that was killed leaves its file without an end
			t.Unfinished = true
			t.leaveOutBegins()
			return t, nil
		case err != nil:
			return nil, fmt.Errorf("this is no file of trace events: %w", err)
		}
		if t.add(&e); t.over != nil {
			return nil, t.over
		}
	}
	t.leaveOutBegins()
	return t, nil
}

// leaveOutBegins leaves out the begins of a file in which nothing ends: nothing says how long they took.
func (t *Trace) leaveOutBegins() {
	if t.slices > 0 {
		return
	}
	for _, l := range t.lanes {
		t.Skipped += len(l.open)
		l.open = nil
	}
}

// findEvents reads up to the array of events. Before it, files of package export say that they are its own.
func (t *Trace) findEvents(d *json.Decoder) error {
	first, err := d.Token()
	if err != nil || first == json.Delim('[') {
		return err
	}
	if first != json.Delim('{') {
		return errors.New("it begins with neither { nor [")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key == "traceEvents" {
			if open, err := d.Token(); err != nil || open != json.Delim('[') {
				return errors.Join(errors.New("traceEvents is no array"), err)
			}
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		var about struct{ Exporter string }
		if key == "otherData" && json.Unmarshal(value, &about) == nil {
			t.ours = about.Exporter == "iprof"
		}
	}
	return errors.New("there are no traceEvents")
}

// add adds an event.
func (t *Trace) add(e *event) {
	if key, ok := stateThread(e); ok && t.ours {
		if e.Ph == "X" {
			t.foundState(e, key)
		}
		return
	}
	if e.Ph == "M" {
		if name, ok := e.Args.Name.(string); ok && e.Name == "thread_name" {
			t.lane(e).name = name
		}
		return
	}
	at, ok := nanos(e.Ts)
	if !ok {
		t.Skipped++
		return
	}
	switch e.Ph {
	case "X":
		t.slice(t.lane(e), slice{t.zone(e.Name), at, t.endOf(e, at), calls(e)})
	case "B":
		l := t.lane(e)
		l.open = append(l.open, slice{t.zone(e.Name), at, at, calls(e)})
		t.hold(sliceSize)
	case "E":
		l := t.lane(e)
		if n := len(l.open); n > 0 {
			s := l.open[n-1]
			l.open, s.end = l.open[:n-1], max(at, s.begin)
			t.slice(l, s)
		} else {
			t.Skipped++
		}
	default:
		t.Skipped++
	}
}

func calls(e *event) uint32 {
	if e.Args.Calls != nil {
		return *e.Args.Calls
	}
	return 1
}

// endOf returns when a slice ends. One that is too long for the type of times is cut, and counted.
func (t *Trace) endOf(e *event, begin int64) int64 {
	us, err := e.Dur.Float64()
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange), !(us > 0):
		return begin
	case us > float64(latest-begin)/1000-2: // so large numbers are more than 1 apart
		t.Long++
		return latest
	}
	return begin + int64(math.Round(us*1000))
}

// A trace has times from earliest to latest, in nanoseconds: the least and the greatest whose difference is one, too.
const (
	earliest = -int64(100 * 365 * 24 * time.Hour)
	latest   = math.MaxInt64 + earliest
)

// nanos turns microseconds into nanoseconds. Times beyond 100 years are none.
func nanos(n json.Number) (ns int64, ok bool) {
	us, err := n.Float64()
	ok = err == nil && math.Abs(us) < float64(-earliest/1000)
	if !ok {
		return 0, false
	}
	return int64(math.Round(us * 1000)), true
}
