package report

import (
	"fmt"
	"strconv"
	"strings"
)

// frameWords are the words for frames.
var frameWords = []string{"all", "over", "within", "worst", "section", "undisturbed"}

// framesHelp says what a choice of frames may be.
const framesHelp = `100-200, 140, all, over, within, worst, worst:10, section:"NAME" or undisturbed, and several ` +
	`with commas between`

// ParseFrames returns the lens that a choice of frames means, such as
//
//	100-200,over,worst:10    # of the frames 100 to 200, the ten slowest over budget
//	section:"level 3"        # the frames of the newest section of this name
//
// Every word narrows the choice. worst:N then takes the N slowest of the frames that are left, and worst is worst:16.
// No word, and the word all, choose every frame. A name in double quotes may have commas, and escapes as in Go. The
// sections are those of the capture or the program, oldest first. The error names the nearest word, or the sections.
func ParseFrames(words string, sections []Section) (Lens, error) {
	c := choice{lens: Lens{Kind: LensAll}, sections: sections}
	for rest := words; rest != ""; {
		word, after, err := cutWord(rest)
		if err != nil {
			return Lens{}, err
		}
		if err := c.take(strings.TrimSpace(word)); err != nil {
			return Lens{}, err
		}
		rest = after
	}
	if err := c.settle(); err != nil {
		return Lens{}, err
	}
	return c.lens, nil
}

// cutWord cuts the first word from a choice. Commas in quotes do not end it.
func cutWord(words string) (word, after string, err error) {
	if at := strings.IndexAny(words, `,"`); at >= 0 && words[at] == '"' {
		quoted, err := strconv.QuotedPrefix(words[at:])
		if err != nil {
			return "", "", fmt.Errorf("%s: the quote does not end", words)
		}
		name, _ := strconv.Unquote(quoted)
		rest := words[at+len(quoted):]
		if rest != "" && rest[0] != ',' {
			return "", "", fmt.Errorf("%s: after the quote there must be a comma", words)
		}
		return words[:at] + name, strings.TrimPrefix(rest, ","), nil
	}
	word, after, _ = strings.Cut(words, ",")
	return word, after, nil
}

// choice is a choice of frames while its words are read.
type choice struct {
	lens         Lens
	sections     []Section
	over, within bool
	worst        bool
}

// take reads one word.
func (c *choice) take(word string) error {
	name, value, valued := strings.Cut(word, ":")
	switch {
	case word == "all":
	case word == "over":
		c.over = true
	case word == "within":
		c.within = true
	case word == "undisturbed":
		c.lens.Undisturbed = true
	case word == "worst":
		c.worst = true
	case valued && name == "worst":
		n, err := strconv.ParseUint(value, 10, 31)
		if err != nil || n == 0 {
			return fmt.Errorf("%q: want a number of frames, such as worst:10", word)
		}
		c.worst, c.lens.Slowest = true, int(n)
	case valued && name == "section":
		return c.section(value)
	case word != "" && word[0] >= '0' && word[0] <= '9':
		return c.frames(word)
	default:
		return unknownWord(word)
	}
	return nil
}

// frames reads the number of a frame, or two.
func (c *choice) frames(word string) error {
	first, last, two := strings.Cut(word, "-")
	if !two {
		last = first
	}
	from, err := strconv.ParseUint(first, 10, 64)
	to, err2 := strconv.ParseUint(last, 10, 64)
	if err != nil || err2 != nil || from > to {
		return fmt.Errorf("%q: want the number of a frame, or two as in 100-200", word)
	}
	return c.narrow(from, to)
}

// section narrows the choice to the newest section of a name.
func (c *choice) section(name string) error {
	printed, err := strconv.Unquote(`"` + name + `"`) // a name as commands print it
	for i := len(c.sections) - 1; i >= 0; i-- {
		if s := &c.sections[i]; s.Name == name || err == nil && s.Name == printed {
			return c.narrow(s.From, s.To)
		}
	}
	if len(c.sections) == 0 {
		return fmt.Errorf("section:%q: the program marked no sections", name)
	}
	names := ""
	for i := range c.sections[:min(len(c.sections), 3)] {
		names += fmt.Sprintf(" %q", c.sections[i].Name)
	}
	return fmt.Errorf("section:%q: there is no such section; there are:%s", name, names)
}

// narrow leaves the frames from..to of those chosen so far.
func (c *choice) narrow(from, to uint64) error {
	l := &c.lens
	if l.Ranged {
		from, to = max(from, l.From), min(to, l.To)
	}
	l.Ranged = true
	l.From, l.To = from, to
	if from > to {
		return fmt.Errorf("no frame is in both ranges")
	}
	return nil
}

// settle makes the lens of all words.
func (c *choice) settle() error {
	of, l := LensAll, &c.lens
	switch {
	case c.over && c.within:
		return fmt.Errorf("no frame is over and within the budget")
	case c.over:
		of = LensOver
	case c.within:
		of = LensWithin
	}
	switch {
	case c.worst:
		l.Kind, l.Of = LensSlowest, of
	case of != LensAll:
		l.Kind = of
	case l.Ranged:
		l.Kind, l.Ranged = LensRange, false
	}
	return nil
}

// unknownWord is the error for a word that is none. It names the nearest.
func unknownWord(word string) error {
	name, _, _ := strings.Cut(word, ":")
	if nearest := Nearest(name, frameWords); nearest != "" {
		return fmt.Errorf("%q chooses no frames; did you mean %s? There are %s", word, nearest, framesHelp)
	}
	return fmt.Errorf("%q chooses no frames; there are %s", word, framesHelp)
}

// Nearest returns the word that differs least from a mistyped one: in two characters at most, or "". Of equal ones it
// is the first.
func Nearest(typed string, words []string) (nearest string) {
	least := 3
	for _, w := range words {
		if d := distance(typed, w); d < least {
			nearest, least = w, d
		}
	}
	return nearest
}

// distance returns the number of characters to insert, delete or replace to make b from a: Levenshtein's distance.
func distance(a, b string) int {
	if len(a) > len(b)+2 || len(b) > len(a)+2 {
		return len(a) + len(b)
	}
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for k := range len(b) {
			replace := before
			if a[i] != b[k] {
				replace++
			}
			before = row[k+1]
			row[k+1] = min(replace, row[k]+1, before+1)
		}
	}
	return row[len(b)]
}

// Words returns the lens in the words of ParseFrames, "" if it is off. A section is its range.
func (l Lens) Words() string {
	if l.Kind == LensOff {
		return ""
	}
	var words []string
	if first, last, some := l.Range(); some {
		words = append(words, frameNumbers(first, last))
	}
	switch l.OfBudget() {
	case LensOver:
		words = append(words, "over")
	case LensWithin:
		words = append(words, "within")
	}
	if l.Undisturbed {
		words = append(words, "undisturbed")
	}
	if l.Kind == LensSlowest {
		words = append(words, "worst:"+strconv.Itoa(l.Frames()))
	}
	if words == nil {
		return "all"
	}
	return strings.Join(words, ",")
}

// frameNumbers writes a range of frames.
func frameNumbers(first, last uint64) string {
	if first == last {
		return strconv.FormatUint(first, 10)
	}
	return strconv.FormatUint(first, 10) + "-" + strconv.FormatUint(last, 10)
}
