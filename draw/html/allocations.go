package html

import (
	"example.com/iprof/internal/allocated"
)

// mostAllocations is the number of rows of allocations on a page: those with the most bytes.
const mostAllocations = 100

// allocations lists the traced allocations by zone and type. A live page offers a trace.
func (p *page) allocations() {
	t := allocated.Of(p.d.Allocated)
	if t == nil && p.o.Trace == "" {
		return
	}
	p.put(`<section id="allocations" aria-label="allocations"><h2>Allocations</h2>`)
	if t != nil {
		p.put(`<div class="scroll long"><table id="objects" class="sorts">`)
		p.heads("allocations by zone and type", []heading{{"", "zone"}, {"", "bytes"}, {"", "objects"}, {"", "freed"},
			{"", "type"}})
		p.put("<tbody>")
		list := t.ByType(-1)
		for i := range list[:min(len(list), mostAllocations)] {
			p.allocation(&list[i])
		}
		p.put("</tbody></table></div>")
		p.moreLine(len(list)-mostAllocations, "rows")
		p.put(`<p class="note">`, esc(t.String()), ".</p>")
	}
	if p.o.Trace != "" {
		p.put(`<p class="note"><a href="?allocations=`, intOf(p.o.Traces+1), `#allocations">Trace them</a>: `,
			esc(p.o.Trace), ".</p>")
	}
	p.put("</section>\n")
}

func (p *page) allocation(r *allocated.Row) {
	name := "outside zones"
	if zone := int(r.Zone()); zone > 0 && zone < len(p.d.Zones) {
		name = p.d.Zones[zone].Name
	}
	p.put(`<tr><td class="name"><bdi>`, esc(shortName(name)), "</bdi></td>")
	p.cell("main", bytesOf(float64(r.Bytes)), float64(r.Bytes))
	p.put("<td>", grouped(r.Objects), "</td><td>", grouped(r.Freed), `</td><td class="name"><bdi>`,
		esc(shortName(r.TypeName())), "</bdi></td></tr>\n")
}
