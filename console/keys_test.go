package console

import (
	"fmt"
	"testing"

	"example.com/iprof/input"
)

func TestBytesOfATerminalAreKeys(t *testing.T) {
	for bytes, want := range map[string]stroke{
		"a":          {key: 'A', char: 'a'},
		"L":          {key: 'L', mods: input.ModShift, char: 'L'},
		"?":          {key: input.KeySlash, mods: input.ModShift, char: '?'},
		"[":          {key: input.KeyLeftBracket, char: '['},
		"5":          {key: '5', char: '5'},
		" ":          {key: input.KeySpace, char: ' '},
		"\r":         {key: input.KeyEnter},
		"\n":         {key: input.KeyEnter},
		"\x7f":       {key: input.KeyBackspace},
		"\x08":       {key: input.KeyBackspace},
		"\x03":       {key: 'C', mods: input.ModControl, char: 3},
		"é":          {char: 'é'},
		"\x1b[A":     {key: input.KeyUp},
		"\x1bOB":     {key: input.KeyDown},
		"\x1b[1;2D":  {key: input.KeyLeft, mods: input.ModShift},
		"\x1b[1;6C":  {key: input.KeyRight, mods: input.ModShift | input.ModControl},
		"\x1b[1;3C":  {key: input.KeyRight, mods: input.ModAlt},
		"\x1b[H":     {key: input.KeyHome},
		"\x1b[4~":    {key: input.KeyEnd},
		"\x1b[8~":    {key: input.KeyEnd},
		"\x1b[5~":    {key: input.KeyPageUp},
		"\x1b[6;2~":  {key: input.KeyPageDown, mods: input.ModShift},
		"\x1b[99~":   {},
		"\x1b[?1;2c": {},
		"\x1b":       {key: input.KeyEscape},
	} {
		t.Run(bytes, func(t *testing.T) {
			for cut := range len(bytes) + 1 {
				var d decoder
				var got []stroke
				for _, part := range []string{bytes[:cut], bytes[cut:]} {
					if part != "" { // nothing means that time has passed
						got = append(got, d.add([]byte(part))...)
					}
				}
				got = append(got, d.add(nil)...)
				if want == (stroke{}) && len(got) == 0 {
					continue
				}
				if len(got) != 1 || got[0] != want {
					t.Errorf("%q in two parts at %d: got %+v; want %+v", bytes, cut, got, want)
				}
			}
		})
	}
}

func TestSeveralKeysComeAtOnce(t *testing.T) {
	var d decoder
	got := d.add([]byte("j\x1b[A\x1b[Bq"))
	want := []stroke{{key: 'J', char: 'j'}, {key: input.KeyUp}, {key: input.KeyDown}, {key: 'Q', char: 'q'}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

// An escape that nothing follows in time is the key; what comes later is by itself.
func TestEscapeAlone(t *testing.T) {
	var d decoder
	if got := d.add([]byte("\x1b")); len(got) != 0 {
		t.Errorf("at once: got %+v; want to wait for what may follow", got)
	}
	if got := d.add(nil); len(got) != 1 || got[0].key != input.KeyEscape {
		t.Errorf("after a while: got %+v; want Escape", got)
	}
	if got := d.add([]byte("[")); len(got) != 1 || got[0].key != input.KeyLeftBracket {
		t.Errorf("then [: got %+v; want the bracket", got)
	}
}

func FuzzDecoder(f *testing.F) {
	for _, s := range []string{"", "\x1b", "\x1b[", "\x1b[1;2", "\x1bO", "\xff\xfe", "\x1b\x1b[A", "\x1b[\x03", "日本",
		"\x1b[11111111111111111111111111111111111111"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, bytes []byte, step int) {
		step = max(1, step&15)
		var d decoder
		strokes := 0
		for i := 0; i < len(bytes); i += step {
			strokes += len(d.add(bytes[i:min(len(bytes), i+step)]))
			if len(d.pending) > 64 {
				t.Fatalf("%d bytes are kept", len(d.pending))
			}
		}
		strokes += len(d.add(nil))
		if d.pending != "" || strokes > len(bytes) {
			t.Errorf("got %d strokes of %d bytes, and %q left; want nothing left", strokes, len(bytes), d.pending)
		}
	})
}
