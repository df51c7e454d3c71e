package printed_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

const hostile = "a\x1b]0;owned\x07\u202eb\u009b2J\x00\r\n\t\x7f\u200b\U000e0041\xff\\é世"

// unsafe reports whether a terminal might act on a text.
func unsafe(text string, lines bool) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) && !(lines && (r == '\n' || r == '\t'))
	})
}

func TestOf(t *testing.T) {
	want := `a\x1b]0;owned\x07\u202eb\u009b2J\x00\x0d\x0a\x09\x7f\u200b\U000e0041\xff` + "\\é世"
	if got := string(printed.Of(hostile)); got != want || unsafe(got, false) {
		t.Errorf("got %q; want %q", got, want)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if got := string(printed.Of(string(r))); unsafe(got, false) || unicode.IsPrint(r) != (got == string(r)) {
			t.Fatalf("%U: got %q", r, got)
		}
	}
}

// However a text is cut into writes, and whatever prints it, nothing leaves that a terminal acts on.
func TestWriter(t *testing.T) {
	for size := range len(hostile) {
		var b strings.Builder
		w := printed.To(&b)
		for i := 0; i < len(hostile); i += size + 1 {
			part := hostile[i:min(i+size+1, len(hostile))]
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("got %d, %v; want %d", n, err, len(part))
			}
		}
		want := `a\x1b]0;owned\x07\u202eb\u009b2J\x00\x0d` + "\n\t" + `\x7f\u200b\U000e0041\xff` + "\\é世"
		if got := b.String(); got != want {
			t.Errorf("writes of %d bytes: got %q", size+1, got)
		}
	}
	var b strings.Builder
	w := printed.To(&b)
	w.Printf("%s|%v\n", "x\ny", errors.New("1\n2\x1b"))
	w.Println("x\ny", 3)
	if want := `x\x0ay|1` + "\n" + `2\x1b` + "\n" + `x\x0ay 3` + "\n"; b.String() != want {
		t.Errorf("got %q; want %q", b.String(), want)
	}
}

func TestJSON(t *testing.T) {
	want := strings.ToValidUTF8(hostile, "\ufffd")
	text, _ := json.Marshal([]string{want})
	var got []string
	safe := printed.JSON(text)
	if err := json.Unmarshal(safe, &got); err != nil || got[0] != want || unsafe(string(safe), true) {
		t.Errorf("got %q, %v of %s; want %q", got, err, safe, want)
	}
}
