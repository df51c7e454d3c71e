package html

import "example.com/iprof/process/report"

// mostLocks is the number of locks on a page: those with the longest waits.
const mostLocks = 100

// locks lists the locks for which goroutines waited: who waited for whom.
func (p *page) locks() {
	list, estimate := p.d.Locks(), 0.0
	for i := range p.d.History {
		estimate += float64(p.d.History[i].LockWait)
	}
	if len(list) == 0 && !(estimate >= 1) {
		return
	}
	p.put(`<section id="locks" aria-label="locks"><h2>Locks</h2>`)
	if len(list) > 0 {
		p.put(`<div class="scroll long"><table id="waits" class="sorts">`)
		p.chooseUnits(2, len(list), func(i, column int) float64 {
			return [...]float64{list[i].Time, list[i].Longest.Time}[column]
		})
		p.heads("locks and who waited",
			[]heading{{"", "lock"}, {"", p.timeHead(0, "waited ms")}, {"", "waits"},
				{"", p.timeHead(1, "longest ms")}, {"", "goroutines"},
				{"", "waited most"}, {"", "released by"}, {"", "frame"}})
		p.put("<tbody>")
		for i := range list[:min(len(list), mostLocks)] {
			p.lock(&list[i])
		}
		p.put("</tbody></table></div>")
		p.moreLine(len(list)-mostLocks, "locks")
	}
	if !p.d.Traced {
		p.put(`<p class="note">`)
		if estimate >= 1 {
			p.put("Goroutines waited about ", timeOf(estimate), " for locks in these frames, by the runtime. ")
		}
		p.put("Only locks of package wait are listed: an execution trace (exectrace.Offer) adds those of package ",
			"sync.</p>")
	}
	p.put("</section>\n")
}

func (p *page) lock(k *report.Lock) {
	p.put(`<tr><td class="name"><bdi>`, esc(shortName(k.Name)), "</bdi>")
	if k.Place != "" {
		p.put("<small>", esc(shortName(k.Place)), "</small>")
	}
	p.put("</td>")
	p.time(0, "main", k.Time)
	p.put("<td>", grouped(k.Count), "</td>")
	if k.Longest.Time > 0 {
		p.time(1, "", k.Longest.Time)
	} else {
		p.put("<td>-</td>")
	}
	p.put("<td>", intOf(k.Waiters), `</td><td class="name"><bdi>`, esc(shortName(k.Waiter)),
		`</bdi></td><td class="name"><bdi>`, esc(shortName(k.Holder)), "</bdi>")
	if k.At != "" {
		p.put("<small>", esc(shortName(k.At)), "</small>")
	}
	p.put("</td><td>")
	if k.Longest.HasFrame {
		p.put(linked(p.frameLink(k.Longest.Frame), uintOf(k.Longest.Frame)))
	}
	p.put("</td></tr>\n")
}
