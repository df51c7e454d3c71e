package console

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// lensNames are the names of the lenses, in the order of the constants of type process.LensKind.
var lensNames = []string{"off", "all", "over", "within", "slowest", "range"}

// lens chooses the frames that reports cover. Without an argument it prints them.
func (c *call) lens() error {
	if c.rest != "" {
		l, err := lensOf(c.s, strings.Fields(c.rest))
		if err != nil {
			return err
		}
		c.s.SetLens(l)
	}
	i := c.s.Info()
	if i.Lens.Kind == process.LensOff {
		c.printf("lens off: one frame, or the moving average")
		return nil
	}
	c.printf("lens %s: %s, %s each%s",
		lensName(i.Lens), framesOf(i.LensFrames), text.Duration(i.Length), lost(i.LensLost))
	return nil
}

func framesOf(n int) string {
	if n == 1 {
		return "1 frame"
	}
	return fmt.Sprintf("%d frames", n)
}

func lost(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s more have lost their records", framesOf(n))
}

func lensName(l process.Lens) string {
	switch l.Kind {
	case process.LensRange:
		return fmt.Sprintf("range %d to %d", l.From, l.To)
	case process.LensSlowest:
		if l.Slowest > 0 {
			return fmt.Sprintf("slowest %d", l.Slowest)
		}
	}
	return lensNames[l.Kind]
}

// lensOf parses a lens and its numbers.
func lensOf(s *process.Session, typed []string) (l process.Lens, err error) {
	at, err := choose("lens", typed[0], lensNames)
	if err != nil {
		return l, err
	}
	l.Kind = process.LensKind(at)
	numbers := make([]uint64, len(typed)-1)
	for i := range numbers {
		if numbers[i], err = strconv.ParseUint(typed[i+1], 10, 63); err != nil {
			return l, fmt.Errorf("%q is no number of a frame", typed[i+1])
		}
	}
	switch {
	case l.Kind == process.LensRange && len(numbers) == 2:
		l.From, l.To = min(numbers[0], numbers[1]), max(numbers[0], numbers[1])
	case l.Kind == process.LensRange:
		return l, fmt.Errorf("a range has two frames, by number: lens range %d %d", s.Info().Index, s.Info().Index)
	case l.Kind == process.LensSlowest && len(numbers) == 1:
		l.Slowest = int(min(numbers[0], 1<<30))
	case len(numbers) > 0:
		return l, fmt.Errorf("%q is not expected here", strings.Join(typed[1:], " "))
	}
	return l, nil
}

// slowest lists the slowest frames. With a rank it shows that frame.
func (c *call) slowest() error {
	list := c.s.AppendSlowest(nil)
	if c.rest == "" {
		for rank, f := range list {
			c.printf("%2d  frame %d%s, %s", rank+1, f.Index, label(f.Label), text.Duration(float64(f.Busy)))
		}
		if len(list) == 0 {
			c.printf("no frames yet")
		}
		return nil
	}
	rank, err := strconv.Atoi(c.rest)
	if err != nil || rank < 1 || rank > len(list) {
		return fmt.Errorf("%q is no rank: there are 1 to %d", c.rest, len(list))
	}
	c.s.Pause()
	c.s.ShowFrame(list[rank-1].Index)
	c.printFrame()
	return nil
}

// columns chooses the columns of reports. Without an argument it prints them.
func (c *call) columns() error {
	switch c.rest {
	case "list":
		for _, column := range process.AllColumns.AppendColumns(nil) {
			c.printf("%s", column.Info().Name)
		}
		return nil
	case "usual":
		c.s.SetColumns()
	case "":
	default:
		chosen, err := columnsOf(strings.Fields(c.rest))
		if err != nil {
			return err
		}
		c.s.SetColumns(chosen...)
	}
	var names []string
	for _, column := range c.s.View().Columns.AppendColumns(nil) {
		names = append(names, column.Info().Name)
	}
	if names == nil {
		names = []string{"usual"}
	}
	c.printf("columns %s", strings.Join(names, " "))
	return nil
}

// columnsOf parses the names of columns. Names may be shortened.
func columnsOf(typed []string) (list []process.Column, err error) {
	names := columnNames(process.NumColumns)
	for _, word := range typed {
		c, err := columnOf(word, names)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// columnOf returns the column of a name, which may be shortened, or of a heading.
func columnOf(typed string, names []string) (process.Column, error) {
	for c := range process.Column(len(names)) {
		if strings.EqualFold(c.Info().Heading, typed) {
			return c, nil
		}
	}
	at, err := choose("column", typed, names)
	return process.Column(max(at, 0)), err
}

// columnNames returns the names of the first n columns.
func columnNames(n process.Column) (names []string) {
	for c := range n {
		names = append(names, c.Info().Name)
	}
	return names
}
