package draw

import "image/color"

// shadeSteps is how many strengths a smear of scopes has, above the weakest.
const shadeSteps = 6

// zoneLook is how a zone's scopes look.
type zoneLook struct {
	stamp  int
	name   string
	idle   bool
	color  color.NRGBA
	ground *palette                    // the shades are of these colours
	shades [shadeSteps + 1]color.NRGBA // of smears, the fuller the stronger
	muted  [shadeSteps + 1]color.NRGBA // while another zone is meant
}

// look is how a zone looks, asked for once per stamp.
func (t *timelineData) look(c *canvas, d *shown, zone uint32) *zoneLook {
	at := int(zone & zoneMask)
	if at >= len(t.looks) {
		t.looks = append(t.looks, make([]zoneLook, at+1-len(t.looks))...)
	}
	l := &t.looks[at]
	if l.stamp != t.stamp {
		l.renew(c, d, int32(at))
		l.stamp = t.stamp
	}
	return l
}

// renew asks what the zone is. Most have been the same before.
func (l *zoneLook) renew(c *canvas, d *shown, zone int32) {
	info := d.source.Zone(zone)
	if l.ground == c.palette && l.name == info.Name && l.idle == info.Idle {
		return
	}
	l.name, l.idle, l.ground = info.Name, info.Idle, c.palette
	l.color = c.colorOf(info.Name, info.Idle)
	for i := range l.shades {
		share := 0.4 + 0.6*float32(i)/shadeSteps
		l.shades[i] = mix(c.surface, l.color, share)
		l.muted[i] = mix(c.surface, mute(c, l.color), share)
	}
}

// strengthOf is how strong a smear is of which so much of the time is taken, 0..1.
func strengthOf(share float64) int {
	if !(share > 0) { // nor is what is no number
		return 0
	}
	return int(float32(min(share, 1))*shadeSteps + 0.5)
}

// mute makes what is not meant darker.
func mute(c *canvas, col color.NRGBA) color.NRGBA { return mix(col, c.surface, 0.62) }
