package console

import "testing"

func TestTabCompletesACommandAndItsArgument(t *testing.T) {
	s := replayed(t, 3)
	for typed, want := range map[string]string{
		"av": "average ", "zone": "zone-budget ", "re": "re", "rec": "rec", "recu": "recursion ",
		"nonsense":  "nonsense",
		"average s": "average short ", "memory ": "memory ", "memory z": "memory zone ", "compare o": "compare o",
		"goroutine al": "goroutine all ", "nonsense s": "nonsense s", "pin a b": "pin a b", "older-": "older-10 ",
	} {
		if got := completed(s, typed); got != want {
			t.Errorf("%q: got %q; want %q", typed, got, want)
		}
	}
	p := newPage(s)
	p.take([]stroke{{char: ':'}, {char: 'a'}, {char: 'v'}, plainStroke('\t')}, nil)
	if got := p.prompt.typed; got != "average " {
		t.Errorf("Tab after av: got %q; want the command", got)
	}
}
