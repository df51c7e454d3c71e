package viewer

import (
	"fmt"

	"example.com/iprof/process"
)

// toggleCard shows the card of the cursor's zone beside the table, or hides it. The card shows how the zone's time is
// distributed over the frames of the history, its callers and callees, and its source. While it is open, it counts the
// single calls of the zone: see countCalls.
func (p *Panel) toggleCard() {
	p.change(func() { p.card.Open = !p.card.Open })
	p.countCalls()
}

// countCalls starts to count the single calls of the cursor's zone while the card is open, and ends the counting of the
// zone before: see process.Session.WantCalls. Code that moves the cursor of the session calls it afterwards. Draw
// neither starts nor ends counting.
func (p *Panel) countCalls() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.card.Count(p.source)
}

// toggleSource shows the source of the cursor's zone on its card, or its numbers again.
func toggleSource(_ *process.Session, p *Panel) {
	p.change(p.card.ToggleSource)
	p.countCalls()
}

// toggleSampling starts or stops the sampling of the program.
func toggleSampling(s *process.Session, p *Panel) {
	if s == nil {
		return
	}
	source := s.HotSource()
	if source == nil {
		p.Note("nothing samples this program: see the module exectrace")
		return
	}
	rate := 0
	if source.Sampling() == 0 {
		rate = process.LeastSampling
	}
	if err := source.SetSampling(rate); err != nil {
		p.Note(err.Error())
	}
}

// cycleSampling goes on to the next rate of samples, and after the last to none.
func cycleSampling(s *process.Session, p *Panel) {
	if s == nil || s.HotSource() == nil {
		toggleSampling(s, p) // says why not
		return
	}
	source, next := s.HotSource(), 0
	for _, rate := range [...]int{process.MostSampling, 500, 250, process.LeastSampling} {
		if rate > source.Sampling() {
			next = rate
		}
	}
	if err := source.SetSampling(next); err != nil {
		p.Note(err.Error())
		return
	}
	p.Note(fmt.Sprintf("%d samples a second of processor time", next))
}
