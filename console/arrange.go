package console

import (
	"fmt"
	"strings"

	"example.com/iprof/process"
)

// group sets whether rows are grouped under headings. Without an argument it prints the grouping.
func (c *call) group() error {
	names := []string{"off", "package"} // in the order of the constants of type process.Grouping
	if err := c.option("grouping", names, func(at int) { c.s.SetGrouping(process.Grouping(at)) }); err != nil {
		return err
	}
	c.printf("group %s", names[c.s.View().Grouping])
	return nil
}

// filter shows only the rows whose names contain a text. Without an argument it prints the filter.
func (c *call) filter() error {
	switch c.rest {
	case "":
	case "off":
		c.s.SetFilter("")
	default:
		c.s.SetFilter(c.rest)
	}
	filter := c.s.View().Filter
	if filter == "" {
		c.printf("filter off")
		return nil
	}
	var r process.Report
	c.s.AppendReport(&r)
	c.printf("filter %q: %d of %d rows", filter, r.Found, len(r.Records))
	return nil
}

// waiting sets whether zones that wait are listed one by one. Without an argument it prints that.
func (c *call) waiting() error {
	if err := c.option("answer", onOff, func(at int) { c.s.ShowIdle(at == 1) }); err != nil {
		return err
	}
	c.printf("waiting %s", onOff[index(c.s.View().ShowIdle)])
	return nil
}

// baseline pins the report that is shown. Later reports are compared with it.
func (c *call) baseline() {
	c.s.PinBaseline()
	c.printComparison()
}

// compare switches the comparison with the baseline on or off. Without an argument it prints the state.
func (c *call) compare() error {
	if c.rest != "" {
		at, err := choose("answer", c.rest, onOff)
		if err != nil {
			return err
		}
		c.s.SetComparing(at == 1)
		if at == 1 && !c.s.View().Compare {
			return fmt.Errorf("there is no baseline: the word baseline pins what is shown")
		}
	}
	c.printComparison()
	return nil
}

func (c *call) printComparison() {
	var r process.Report
	c.s.AppendReport(&r)
	switch {
	case r.Baseline.Pinned:
		c.printf("compare on: %s", r.Baseline.Label)
	case r.Frame.Frames == 0:
		c.printf("no frame yet to compare with")
	default:
		c.printf("compare off")
	}
}

// sort sorts the report. Self and hierarchical time each have a report mode; sort switches to it. Any other column
// keeps the mode. Without an argument sort toggles between the two modes.
func (c *call) sort() error {
	mode := process.ReportSelfTime
	if c.s.View().Mode == mode {
		mode = process.ReportHierarchicalTime
	}
	if c.rest != "" {
		at, err := choose("order", c.rest, []string{"self", "callees", "hierarchical", "with callees"})
		if err != nil {
			return c.sortBy(strings.Fields(c.rest))
		}
		mode = process.ReportMode(min(at, 1))
	}
	c.s.SetOrder(process.Order{})
	c.s.SetReportMode(mode)
	c.printf("sorted by %s", [...]string{"self time", "time with callees"}[mode])
	return nil
}

// sortBy sorts by a column and an optional direction. By default numbers go down and names go from A to Z.
func (c *call) sortBy(typed []string) error {
	if len(typed) == 1 && typed[0] == "usual" {
		c.s.SetOrder(process.Order{})
		c.printf("sorted as usual")
		return nil
	}
	by, err := sortColumn(typed[0])
	if err != nil {
		return err
	}
	o := process.Order{Chosen: true, By: by, Ascending: by == process.ColumnName}
	if len(typed) > 1 {
		at, err := choose("direction", strings.Join(typed[1:], " "), []string{"down", "up"})
		if err != nil {
			return err
		}
		o.Ascending = at == 1
	}
	if by >= process.ColumnDelta && !c.s.View().Compare {
		return fmt.Errorf("nothing is compared: the word baseline pins what is shown")
	}
	c.s.SetOrder(o)
	c.printf("sorted by %s, %s", by.Info().Name, map[bool]string{true: "up", false: "down"}[o.Ascending])
	return nil
}

// sortColumn returns the column of a name. The name may be shortened.
func sortColumn(typed string) (process.Column, error) {
	return columnOf(typed, columnNames(process.ColumnDeltaPercent+1))
}
