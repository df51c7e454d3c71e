//go:build !iprof_off

package measure

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/platform"
)

// A story is what a goroutine does in some frames, on a fake clock, and what each frame must then have. Its words are
//
//	a(  )a     a zone begins; its last open scope ends, !a on another goroutine, ))a the one again that ended last
//	[a  ]a  ~a a hold begins, is kept, is not kept
//	5  @5      the clock advances by 5 ticks, or is set to 5
//	off  on    recording
//	zero       the End of a scope that never began
//	=          the frame ends; the words up to ";" are its rows: path:self:count, with ! if the node is open
//
// The root's path is ".". Rows without time, entries and an open node may be left out, others not.
type story struct {
	name     string
	does     string
	limits   Limits
	mistakes Misuse
	note     []string // parts of a sentence of the notes
	assembly bool     // the Go twin does not know whose End it is
	wide     bool     // needs words of 64 bits
}

var stories = []story{
	{name: "nested zones", does: "1 a( 10 b( 100 )b 1000 )a 10000 = .:10001:0 a:1010:1 a/b:100:1 ; ="},
	{name: "a zone open across frames is credited to each",
		does: "a( 5 = a:5:1! ; 7 = a:7:0! ; = a:0:0! ; 3 )a 2 = a:3:0 .:2:0"},
	{name: "entries count while the clock stands still", does: strings.Repeat("a( b( )b )a = a:0:1 a/b:0:1 ; ", 3)},
	{name: "switched off nothing is measured",
		does: "a( 5 off 100 b( )b = a:5:1! ; 1000 on 3 )a = a:3:0 ; b( 2 off 50 on 4 )b = b:6:1"},

	{name: "an extra End is harmless", does: "zero a( b( 1 )b )b )a )a = a:0:1 a/b:1:1",
		mistakes: Misuse{ExtraEnd: 2}, note: []string{`zone "b" (`, "ended twice"}},
	{name: "an End out of order", does: "a( 1 b( 2 )a 4 )b = .:4:0 a:1:1 a/b:2:1",
		mistakes: Misuse{ExtraEnd: 1, MissingEnd: 1}},
	{name: "a loose scope may be left open, ended twice, and ended around others, which stay open",
		does: "a( loose( 1 )a 2 )loose loose( b( 4 )loose 8 )b 16 )loose )loose = " +
			".:2:0 a:0:1 a/loose:1:1 loose:16:1 loose/b:12:1"},
	{name: "a missing End inside the fold", does: "a( b( c( c( 3 )a )c = a:0:1 a/(other):3:3", limits: Limits{Depth: 1},
		mistakes: Misuse{MissingEnd: 3, ExtraEnd: 1}},
	{name: "a second End while a later entry of the same stack is open", wide: true,
		does:     strings.Repeat("a( )a a( b( ))a )b ))a 5 )a = a:5:2 a/b:0:1 ; ", 3),
		mistakes: Misuse{ExtraEnd: 6}},
	{name: "a clock at its end", does: "a( @9223372036854775807 b( )b b( )b )a = a:9223372036854775806:1 a/b:0:2 ; " +
		"@5 c( )c = c:0:1", mistakes: Misuse{ClockBack: 2}},
	{name: "a step back that is shorter than the total", does: "100000 a( 50000 )a a( -10000 )a = .:90000:0 a:50000:2",
		mistakes: Misuse{ClockBack: 1}},

	{name: "a hold across frames that is kept",
		does:     "[a b( 5 = (pending):5:0! ; 2 ]a 1 = (pending):-5:0 a:0:1 a/b:7:1 .:1:0 ; =",
		mistakes: Misuse{MissingEnd: 1}},
	{name: "a hold across frames that is not kept",
		does:     "[a b( 5 = (pending):5:0! ; 2 ~a 1 = (pending):-5:0 (not.kept):7:1 .:1:0 ; =",
		mistakes: Misuse{MissingEnd: 1}},

	{name: "an End on another goroutine", assembly: true, does: "a( 5 !a !a 7 = a:5:1 .:7:0 ; b( )b = b:0:1",
		mistakes: Misuse{OtherLane: 1, ExtraEnd: 1}, note: []string{`zone "a" (`, "another goroutine"}},
	{name: "an End elsewhere that waits for the scopes inside is told frame by frame", assembly: true,
		does: "a( b( 1 !a 9 = a/b:10:1! a:0:1! ; 9 = a/b:9:0! a:0:0! ; 9 = a/b:9:0! a:0:0! ; " +
			")b c( 5 )c 2 = c:5:1 .:2:0", mistakes: Misuse{OtherLane: 1}},
	{name: "an End elsewhere of an outer scope waits for the inner", assembly: true,
		does: "a( b( 1 !a 2 )b 4 c( )c = a/b:3:1 a:0:1 c:0:1 .:4:0", mistakes: Misuse{OtherLane: 1}},
	{name: "Ends elsewhere in another order than the scopes are nested", assembly: true,
		does:     "a( b( 1 !a 10000 = a/b:10001:1! a:0:1! ; !b 10000 = .:10000:0 ; c( )c 3 = c:0:1 .:3:0",
		mistakes: Misuse{OtherLane: 2}},
	{name: "an End elsewhere of a folded scope is open until its own goroutine carries it out", assembly: true,
		limits: Limits{Depth: 1}, does: "a( b( !b 10000 = a/(other):10000:1! a:0:1! ; )a 3 = .:3:0",
		mistakes: Misuse{OtherLane: 1}},
}

// stage is what a story has begun.
type stage struct {
	t           *testing.T
	clock       *fakeClock
	zones       map[string]*Zone
	open, ended map[string][]Scope
	holds       map[string]Held
	frame       Frame
}

// last returns the scope of a zone that was begun last of those that have not ended, or else ended last.
func (s *stage) last(zone string) Scope {
	if n := len(s.open[zone]) - 1; n >= 0 {
		s.ended[zone] = append(s.ended[zone], s.open[zone][n])
		s.open[zone] = s.open[zone][:n]
	}
	return s.ended[zone][len(s.ended[zone])-1]
}

// do does what a word says.
func (s *stage) do(word string) {
	name := strings.Trim(word, "()[]!~")
	ticks, err := strconv.ParseInt(strings.TrimPrefix(word, "@"), 10, 64)
	switch {
	case err == nil && word[0] == '@':
		s.clock.now.Store(ticks)
	case err == nil:
		s.clock.advance(ticks)
	case word == "on", word == "off":
		if SetRecording(word == "on"); Recording() != (word == "on") {
			s.t.Errorf("recording: got %v after %s", Recording(), word)
		}
	case word == "zero":
		Scope{}.End()
	case strings.HasSuffix(word, "("):
		s.open[name] = append(s.open[name], s.zones[name].Begin())
	case strings.HasPrefix(word, "))"):
		s.ended[name][len(s.ended[name])-1].End()
	case word[0] == ')':
		s.last(name).End()
	case word[0] == '!':
		elsewhere(s.t, s.last(name).End)
	case word[0] == '[':
		s.holds[name] = s.zones[name].Hold()
	default:
		keep := word[0] == ']'
		func() { defer s.holds[name].KeepIf(&keep) }()
	}
}

// end ends a frame and compares its rows.
func (s *stage) end(frame string, rows []string) {
	index := s.frame.Index
	got := collect(s.t, &s.frame)
	if s.frame.Index != index+1 || s.frame.TicksPerSecond != 1000 || s.frame.End < s.frame.Begin {
		s.t.Errorf("%s: got frame %d from %d to %d after %d", frame, s.frame.Index, s.frame.Begin, s.frame.End, index)
	}
	for _, text := range rows {
		word, open := strings.CutSuffix(text, "!")
		parts := strings.Split(word, ":")
		self, err := strconv.ParseInt(parts[1], 10, 64)
		count, err2 := strconv.ParseUint(parts[2], 10, 32)
		if err != nil || err2 != nil {
			s.t.Fatalf("%q: want path:self:count", text)
		}
		path := strings.ReplaceAll(strings.TrimPrefix(parts[0], "."), ".", " ")
		want(s.t, got, path, platform.Ticks(self), uint32(count), open)
		delete(got, path)
	}
	for path, r := range got {
		if r.self != 0 || r.count != 0 || r.open {
			s.t.Errorf("%s: got %q with %+v; want no such row", frame, path, r)
		}
	}
}

func TestStories(t *testing.T) {
	for _, c := range stories {
		t.Run(c.name, func(t *testing.T) {
			if c.assembly && !platform.Assembly || c.wide && strconv.IntSize < 64 {
				t.Skip("this build cannot know it")
			}
			s := stage{t: t, clock: useFakeClock(t), open: map[string][]Scope{}, ended: map[string][]Scope{},
				holds: map[string]Held{},
				zones: map[string]*Zone{"a": &zoneA, "b": &zoneB, "c": &zoneC, "loose": {Name: "loose", Loose: true}}}
			SetLimits(c.limits)
			defer SetLimits(Limits{})
			Collect(&s.frame)
			for frame := range strings.SplitSeq(c.does, ";") {
				words := strings.Fields(frame)
				end := slices.Index(words, "=")
				if end < 0 {
					continue
				}
				for _, word := range words[:end] {
					s.do(word)
				}
				s.end(frame, words[end+1:])
			}
			got := s.frame.Misuse
			if got.ExtraEnd != c.mistakes.ExtraEnd || got.MissingEnd != c.mistakes.MissingEnd ||
				got.OtherLane != c.mistakes.OtherLane || got.ClockBack != c.mistakes.ClockBack ||
				got.DeferInLoop != 0 {
				t.Errorf("got %+v; want %+v", got, c.mistakes)
			}
			if c.note != nil {
				wantNote(t, &s.frame, c.note...)
			}
		})
	}
}
