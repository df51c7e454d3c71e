package html

import (
	"slices"
	"sort"

	"example.com/iprof/process/report"
)

// mostFrames is the number of frames that a document shows one by one: the slowest. mostGraphs is the number of zones
// with callers and callees: those with the most time.
const (
	mostFrames = 10
	mostGraphs = 60
)

// slowest returns the indexes of the slowest frames with a tree, the slowest first.
func (p *page) slowest() []int {
	judged := func(i int) float32 {
		if at, known := p.open[p.d.FrameTrees[i].Index]; known {
			return p.d.History[at].Judged()
		}
		return 0
	}
	list := make([]int, len(p.d.FrameTrees))
	for i := range list {
		list[i] = i
	}
	sort.SliceStable(list, func(i, k int) bool { return judged(list[i]) > judged(list[k]) })
	return list[:min(len(list), mostFrames)]
}

// graphed returns the zones whose callers and callees are in the document.
func (p *page) graphed() map[report.ZoneID]bool {
	graphs := make(map[report.ZoneID]bool, mostGraphs)
	if p.o.Live {
		if p.focus >= 0 {
			graphs[p.focus] = true
		}
		return graphs
	}
	totals := slices.Clone(p.d.ZoneTotals())
	sort.SliceStable(totals, func(i, k int) bool { return totals[i].Hier > totals[k].Hier })
	for i := range totals[:min(len(totals), mostGraphs)] {
		graphs[totals[i].Zone] = true
	}
	return graphs
}

// zoneLink returns the address of a zone's callers and callees, or "".
func (p *page) zoneLink(id report.ZoneID) markup {
	switch {
	case id < 0 || int(id) >= len(p.d.Zones):
		return ""
	case p.o.Live:
		q := p.o.Query
		q.Zone = intText(int(id))
		return p.query(q)
	case p.graphs[id]:
		return "#z" + intOf(int(id))
	}
	return ""
}

// frameLink returns the address of a frame, or "".
func (p *page) frameLink(index uint64) markup {
	_, known := p.open[index]
	switch {
	case p.o.Live && known:
		return p.query(Query{Frame: uintText(index), Zone: p.o.Zone, By: p.o.By})
	case !p.o.Live && slices.ContainsFunc(p.worst, func(i int) bool { return p.d.FrameTrees[i].Index == index }):
		return "#f" + uintOf(index)
	}
	return ""
}

// query returns the address of a live page with other choices, relative to the page.
func (p *page) query(q Query) markup {
	address := markup("?")
	for _, one := range [...]struct {
		name  markup
		value string
	}{{"frames", q.Frames}, {"lane", q.Lane}, {"frame", q.Frame}, {"zone", q.Zone}, {"by", q.By}} {
		if one.value == "" {
			continue
		}
		if address != "?" {
			address += "&amp;"
		}
		address += one.name + "=" + percentCoded(one.value)
	}
	return address
}

// percentCoded returns a value of a query.
func percentCoded(s string) markup {
	const digits = "0123456789ABCDEF"
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			b = append(b, c)
			continue
		}
		b = append(b, '%', digits[c>>4], digits[c&15])
	}
	return markup(b)
}

// linked puts a link around markup if there is one.
func linked(href, inside markup) markup {
	if href == "" {
		return inside
	}
	return `<a href="` + href + `">` + inside + "</a>"
}
