package console

import (
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// mute mutes a zone or measures it again. Without an argument it does so with the cursor's zone.
func (c *call) mute() error {
	if c.rest == "" {
		command, _ := viewer.PanelFor(c.s).Command("mute")
		c.do(command)
		return nil
	}
	zone, answer, err := c.zoneAndAnswer()
	if err != nil {
		return err
	}
	on := answer == "on" || answer == "" && !c.s.Muted(zone)
	c.s.SetMuted(zone, on)
	word := "measured"
	if c.s.Muted(zone) {
		word = "muted"
	}
	c.printf("%s: %s", text.Name(c.s.Zone(zone).Name), word)
	return nil
}

// hideZone hides the rows of a zone or shows them again. Without an argument it lists the hidden zones.
func (c *call) hideZone() error {
	if c.rest != "" {
		zone, answer, err := c.zoneAndAnswer()
		if err != nil {
			return err
		}
		v := c.s.View()
		c.s.SetHidden(zone, answer == "on" || answer == "" && !v.Hides(zone))
	}
	hidden := c.s.View().Hidden
	for _, zone := range hidden {
		c.printf("hidden: %s", text.Name(c.s.Zone(zone).Name))
	}
	if len(hidden) == 0 {
		c.printf("no zone is hidden")
	}
	return nil
}

// zoneAndAnswer parses the name of a zone, and "on" or "off" behind it. answer is "" if there is none.
func (c *call) zoneAndAnswer() (zone process.ZoneID, answer string, err error) {
	name := c.rest
	if at := strings.LastIndexByte(name, ' '); at >= 0 {
		if last := strings.ToLower(name[at+1:]); last == "on" || last == "off" {
			name, answer = strings.TrimSpace(name[:at]), last
		}
	}
	zone, err = c.zone(name)
	return zone, answer, err
}
