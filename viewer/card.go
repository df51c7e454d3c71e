package viewer

import "example.com/iprof/process"

// toggleCard shows the card of the cursor's zone beside the table, or hides it. The card shows the distribution of the
// zone's time over the frames of the history, its callers and callees, and its source. While it is open, the panel
// counts the single calls of the zone: see countCalls.
func (p *Panel) toggleCard() {
	p.change(func() { p.card.Open = !p.card.Open })
	p.countCalls()
}

// countCalls starts counting the single calls of the cursor's zone while the card is open, and ends the counting of the
// previous zone: see process.Session.WantCalls. Code that moves the cursor of the session calls it afterwards. Draw
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
