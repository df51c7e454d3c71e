package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// shadeSteps is the number of strengths of a smear, besides the weakest.
const shadeSteps = 6

// zoneLook is the name and the colours of a zone's scopes.
type zoneLook struct {
	stamp  int
	name   string
	idle   bool
	color  color.NRGBA
	ground *draw.Palette               // the palette of the shades
	shades [shadeSteps + 1]color.NRGBA // colours of smears; fuller smears are stronger
	muted  [shadeSteps + 1]color.NRGBA // the same, while another zone is under the mouse
}

// look returns the look of a zone. It is up to date with the stamp.
func (t *timelineData) look(c *canvas, d *shown, zone process.ZoneID) *zoneLook {
	at := int(max(zone, 0))
	if at >= len(t.looks) {
		t.looks = append(t.looks, make([]zoneLook, at+1-len(t.looks))...)
	}
	l := &t.looks[at]
	if l.stamp != t.stamp {
		l.renew(c, d, process.ZoneID(at))
		l.stamp = t.stamp
	}
	return l
}

// renew reads the zone's name and computes its colours, if they have changed.
func (l *zoneLook) renew(c *canvas, d *shown, zone process.ZoneID) {
	info := d.Zone(zone)
	if l.ground == c.Palette && l.name == info.Name && l.idle == info.Idle {
		return
	}
	l.name, l.idle, l.ground = info.Name, info.Idle, c.Palette
	l.color = c.ColorOf(info.Name, info.Idle)
	for i := range l.shades {
		share := 0.4 + 0.6*float32(i)/shadeSteps
		l.shades[i] = draw.Mix(c.Surface, l.color, share)
		l.muted[i] = draw.Mix(c.Surface, mute(c, l.color), share)
	}
}

// strengthOf returns the strength of a smear that covers a share of its time. The share is clamped to 0..1.
func strengthOf(share float64) int {
	if !(share > 0) { // also for NaN
		return 0
	}
	return int(float32(min(share, 1))*shadeSteps + 0.5)
}

// mute returns a darker colour, for zones that are not under the mouse.
func mute(c *canvas, col color.NRGBA) color.NRGBA { return draw.Mix(col, c.Surface, 0.62) }
