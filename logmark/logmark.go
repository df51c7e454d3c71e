// Package logmark makes a mark of each line of a log. So the history and the timeline of package iprof show the
// program's log. With [WithZones], lines of the log have the frame and the zones in which they were written.
//
//	slog.SetDefault(slog.New(logmark.Handler(slog.NewTextHandler(os.Stderr, nil))))
//
// Do not pass the handler of slog's initial default logger. It writes with package log, which would deadlock.
package logmark

import (
	"context"
	"log/slog"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// most is the greatest length of a mark's text in bytes. Package gather cuts longer texts, so further attributes need
// not be formatted.
const most = 1024

// Handler returns a handler that makes a mark of each record and passes the record on to next. With a nil next there is
// no output, and records from slog.LevelInfo up become marks. The mark's text is the message and the attributes, as in
//
//	WARN connection lost peer=10.0.0.7 tries=3
//
// Records that next is not enabled for do not become marks. In programs built with the tag iprof_off there are no
// marks. Any goroutine may use the handler.
func Handler(next slog.Handler) slog.Handler { return handler{next: next} }

// WithZones returns a handler that adds two attributes to each record and passes it on to next: the number of the frame
// in progress, and the open zones of the logging goroutine, the outermost first:
//
//	connection lost peer=10.0.0.7 frame=1042 zone=step/network/receive
//
// They are in the innermost group of WithGroup. Outside zones there is no attribute for them. In programs built with
// the tag iprof_off it returns next. Put it around Handler or inside. Any goroutine may use the handler.
func WithZones(next slog.Handler) slog.Handler {
	if !gather.Enabled {
		return next
	}
	return zones{next}
}

// zones is the handler of WithZones.
type zones struct{ slog.Handler }

func (h zones) Handle(c context.Context, r slog.Record) error {
	frame, open := measure.Underway()
	r = r.Clone() // the caller's record must not change
	r.AddAttrs(slog.Uint64("frame", frame))
	if len(open) > 0 {
		r.AddAttrs(slog.String("zone", strings.Join(open, "/")))
	}
	return h.Handler.Handle(c, r)
}

func (h zones) WithAttrs(all []slog.Attr) slog.Handler { return zones{h.Handler.WithAttrs(all)} }

func (h zones) WithGroup(name string) slog.Handler { return zones{h.Handler.WithGroup(name)} }

// handler is the handler of Handler. Its text has the attributes of With and WithGroup.
type handler struct {
	next   slog.Handler
	text   string
	prefix string // the groups, each with a dot
}

func (h handler) Enabled(c context.Context, l slog.Level) bool {
	if h.next == nil {
		return l >= slog.LevelInfo
	}
	return h.next.Enabled(c, l)
}

func (h handler) Handle(c context.Context, r slog.Record) error {
	if gather.Enabled {
		b := append(append(make([]byte, 0, 128), r.Level.String()...), ' ')
		b = append(b, r.Message[:min(len(r.Message), most)]...)
		b = append(b, h.text...)
		r.Attrs(func(a slog.Attr) bool {
			b = appendAttr(b, h.prefix, a, 0)
			return len(b) <= most
		})
		measure.Mark(string(b))
	}
	if h.next == nil {
		return nil
	}
	return h.next.Handle(c, r)
}

func (h handler) WithAttrs(all []slog.Attr) slog.Handler {
	b := []byte(h.text)
	for _, a := range all {
		b = appendAttr(b, h.prefix, a, 0)
	}
	if h.text = string(b); h.next != nil {
		h.next = h.next.WithAttrs(all)
	}
	return h
}

func (h handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	if h.prefix += name + "."; h.next != nil {
		h.next = h.next.WithGroup(name)
	}
	return h
}

// deepest bounds the depth of nested groups.
const deepest = 8

// appendAttr appends an attribute as " key=value". The name of a group stands before the names of its attributes.
func appendAttr(b []byte, prefix string, a slog.Attr, depth int) []byte {
	value := a.Value.Resolve()
	if len(b) > most || depth > deepest || a.Equal(slog.Attr{}) {
		return b
	}
	if value.Kind() != slog.KindGroup {
		b = append(append(append(append(b, ' '), prefix...), a.Key...), '=')
		text := value.String()
		return append(b, text[:min(len(text), most)]...)
	}
	if a.Key != "" {
		prefix += a.Key + "."
	}
	for _, in := range value.Group() {
		b = appendAttr(b, prefix, in, depth+1)
	}
	return b
}
