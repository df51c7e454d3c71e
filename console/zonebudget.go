package console

import (
	"errors"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/viewer"
)

// zoneBudget sets the time that a zone may take in a frame. Without an argument it does what the menu does.
func (c *call) zoneBudget() error {
	if c.rest == "" {
		command, _ := viewer.PanelFor(c.s).Command("zone-budget")
		c.do(command)
		return nil
	}
	at := strings.LastIndexByte(c.rest, ' ')
	if at < 0 {
		return errors.New("say a zone and a time, as: zone-budget physics 4ms, or off for none")
	}
	zone, err := c.zone(strings.TrimSpace(c.rest[:at]))
	if err != nil {
		return err
	}
	if typed := c.rest[at+1:]; strings.EqualFold(typed, "off") {
		c.s.SetBudget(zone, 0)
	} else {
		d, err := budgetOf(typed)
		if err != nil {
			return err
		}
		c.s.SetBudget(zone, d)
	}
	name := text.Name(c.s.Zone(zone).Name)
	if d := c.s.Budget(zone); d > 0 {
		c.printf("%s: budget %v a frame", name, d)
	} else {
		c.printf("%s: no budget", name)
	}
	return nil
}
