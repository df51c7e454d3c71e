//go:build !iprof_off

package integration_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/console"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process"
)

// chaosWriter is a writer that does anything but return well.
type chaosWriter int

// The kinds of chaosWriter.
const (
	writerPanics chaosWriter = iota
	writerFails
	writerSlow
	writerLogs
	writerResets
	numWriters
)

func (w chaosWriter) Write(p []byte) (int, error) {
	switch w {
	case writerPanics:
		panic(errChaos)
	case writerFails:
		return len(p) / 2, io.ErrShortWrite
	case writerSlow:
		time.Sleep(5 * time.Millisecond)
	case writerLogs:
		iprof.LogScope("the writer's own").End()
	case writerResets:
		process.Default().Reset()
	}
	return len(p), nil
}

// takesNoWriter are the functions to which a nil writer means something.
var takesNoWriter = map[string]bool{"LogEvery": true, "WriteOnExit": true, "WriteOnSignal": true}

// newCaller begins with some things to call methods of. Zones are shared, a Session too; scopes and lanes are a
// goroutine's.
func newCaller(t *testing.T, rng *rand.Rand, words []string) *caller {
	c := &caller{t: t, rng: rng, words: words, kept: map[reflect.Type][]reflect.Value{}}
	for _, name := range slices.Sorted(maps.Keys(chaosFunctions)) {
		if chaosFunctions[name] != nil {
			c.names = append(c.names, name)
		}
	}
	for i := range mixed {
		c.keep(reflect.ValueOf(&mixed[i]))
	}
	c.keep(reflect.ValueOf(process.Default()))
	return c
}

// commandWords are the words that help lists.
func commandWords(t *testing.T) (words []string) {
	t.Helper()
	var help strings.Builder
	must.Do(t, console.Command(process.Default(), &help, "help"))
	for line := range strings.Lines(help.String()) {
		if word := strings.Fields(line); len(word) > 2 && !strings.HasPrefix(line, "Words") {
			words = append(words, word[0])
		}
	}
	if len(words) < 20 {
		t.Fatalf("got words %q; want all that help lists", words)
	}
	return words
}

// arguments makes what a function takes.
func (c *caller) arguments(name string, f reflect.Type) (args []reflect.Value) {
	for i := range f.NumIn() {
		if i == f.NumIn()-1 && f.IsVariadic() {
			for range c.rng.IntN(4) {
				args = append(args, c.value(name, f.In(i).Elem()))
			}
			return args
		}
		args = append(args, c.value(name, f.In(i)))
	}
	return args
}

var (
	writerType  = reflect.TypeFor[io.Writer]()
	readerType  = reflect.TypeFor[io.Reader]()
	contextType = reflect.TypeFor[context.Context]()
	signalType  = reflect.TypeFor[os.Signal]()
	laneType    = reflect.TypeFor[*iprof.Lane]()
)

// value makes a value of a type.
func (c *caller) value(name string, t reflect.Type) reflect.Value {
	if kept := c.kept[t]; len(kept) > 0 && (t.Kind() == reflect.Pointer || c.rng.IntN(8) > 0) {
		return kept[c.rng.IntN(len(kept))]
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Interface:
		c.face(name, v, t)
	case reflect.Bool:
		v.SetBool(c.rng.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(c.integer(name))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(c.integer(name)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(one(c, []float64{0, -1, 0.01, 0.5, 2, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}))
	case reflect.String:
		v.SetString(c.text(name))
	case reflect.Pointer:
		if t != laneType { // which only Register makes; beyond the limit of lanes it returns nil
			v.Set(reflect.New(t.Elem()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				v.Field(i).Set(c.value(name, f.Type))
			}
		}
	case reflect.Func: // any goroutine may call it, so it makes nothing by itself
		var results []reflect.Value
		for i := range t.NumOut() {
			results = append(results, c.value(name, t.Out(i)))
		}
		v.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return results }))
	case reflect.Slice: // memory to append to, which a nil slice is, too
	}
	return v
}

// face makes a value of an interface type.
func (c *caller) face(name string, v reflect.Value, t reflect.Type) {
	switch t {
	case writerType:
		if c.rng.IntN(4) == 0 && takesNoWriter[name] {
			return
		}
		v.Set(reflect.ValueOf(one(c, []io.Writer{io.Discard, chaosWriter(c.rng.IntN(int(numWriters)))})))
	case readerType:
		lines := make([]string, c.rng.IntN(9))
		for i := range lines {
			lines[i] = c.text("Command")
		}
		v.Set(reflect.ValueOf(strings.NewReader(strings.Join(lines, "\n"))))
	case contextType: // Terminal ends with it
		ctx, cancel := context.WithTimeoutCause(context.Background(), 5*time.Millisecond, errors.New("enough"))
		context.AfterFunc(ctx, cancel)
		v.Set(reflect.ValueOf(ctx))
	case signalType:
		v.Set(reflect.ValueOf(os.Interrupt))
	}
}

// integer is small where it is a size of memory, which grows with the number of goroutines and zones.
func (c *caller) integer(name string) int64 {
	small := []int64{-1, 0, 1, 2, 3, 5, 64, 200}
	if strings.HasPrefix(name, "Set") || strings.HasPrefix(name, "*process.Session.Set") {
		return one(c, small)
	}
	return one(c, append(small, math.MinInt64, math.MaxInt64, math.MaxInt32, math.MinInt32, 1<<40))
}

func (c *caller) text(name string) string {
	word := one(c, append([]string{"", "mixed 0", "-1", "1", "100", "on", "off", "all", "page.html",
		strings.Repeat("x", 5000)}, sampledump.HostileNames...))
	if name == "Command" {
		return one(c, c.words) + " " + word
	}
	return word
}

func one[T any](c *caller, list []T) T { return list[c.rng.IntN(len(list))] }
