package viewer_test

import (
	"image/color"
	"math"
	"testing"

	"example.com/iprof/draw"
)

// lab is a colour in CIE L*a*b*.
type lab struct{ l, a, b float64 }

// lin decodes a channel of sRGB.
func lin(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// toLab converts linear channels of sRGB.
func toLab(r, g, b float64) lab {
	x := (0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047
	y := 0.2126729*r + 0.7151522*g + 0.0721750*b
	z := (0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	return lab{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

// ciede2000 returns the difference of two colours (Sharma, Wu, Dalal 2005).
func ciede2000(p, q lab) float64 {
	c1, c2 := math.Hypot(p.a, p.b), math.Hypot(q.a, q.b)
	c7 := math.Pow((c1+c2)/2, 7)
	g := 0.5 * (1 - math.Sqrt(c7/(c7+math.Pow(25, 7))))
	a1, a2 := (1+g)*p.a, (1+g)*q.a
	c1, c2 = math.Hypot(a1, p.b), math.Hypot(a2, q.b)
	h := func(a, b float64) float64 {
		if a == 0 && b == 0 {
			return 0
		}
		d := math.Atan2(b, a) * 180 / math.Pi
		if d < 0 {
			d += 360
		}
		return d
	}
	h1, h2 := h(a1, p.b), h(a2, q.b)
	dl, dc := q.l-p.l, c2-c1
	dh := h2 - h1
	if c1*c2 == 0 {
		dh = 0
	} else if dh > 180 {
		dh -= 360
	} else if dh < -180 {
		dh += 360
	}
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2*math.Pi/180)
	lm, cm := (p.l+q.l)/2, (c1+c2)/2
	hm := h1 + h2
	if c1*c2 != 0 {
		if math.Abs(h1-h2) <= 180 {
			hm /= 2
		} else if hm < 360 {
			hm = (hm + 360) / 2
		} else {
			hm = (hm - 360) / 2
		}
	}
	cos := func(d float64) float64 { return math.Cos(d * math.Pi / 180) }
	t := 1 - 0.17*cos(hm-30) + 0.24*cos(2*hm) + 0.32*cos(3*hm+6) - 0.20*cos(4*hm-63)
	dt := 30 * math.Exp(-math.Pow((hm-275)/25, 2))
	cm7 := math.Pow(cm, 7)
	rc := 2 * math.Sqrt(cm7/(cm7+math.Pow(25, 7)))
	sl := 1 + 0.015*math.Pow(lm-50, 2)/math.Sqrt(20+math.Pow(lm-50, 2))
	sc, sh := 1+0.045*cm, 1+0.015*cm*t
	rt := -math.Sin(2*dt*math.Pi/180) * rc
	return math.Sqrt(math.Pow(dl/sl, 2) + math.Pow(dc/sc, 2) + math.Pow(dH/sh, 2) + rt*(dc/sc)*(dH/sh))
}

// eyes are the ways in which people see: linear channels in and out (Machado, Oliveira, Fernandes 2009).
var eyes = map[string][9]float64{
	"normal":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
}

// seen returns a colour as someone sees it.
func seen(c color.NRGBA, m [9]float64) lab {
	r, g, b := lin(float64(c.R)/255), lin(float64(c.G)/255), lin(float64(c.B)/255)
	k := func(v float64) float64 { return math.Min(math.Max(v, 0), 1) }
	return toLab(k(m[0]*r+m[1]*g+m[2]*b), k(m[3]*r+m[4]*g+m[5]*b), k(m[6]*r+m[7]*g+m[8]*b))
}

// apart returns the difference of two colours as someone sees it.
func apart(eye string, a, b color.NRGBA) float64 {
	return ciede2000(seen(a, eyes[eye]), seen(b, eyes[eye]))
}

// contrast returns the contrast of two opaque colours, 1 to 21 (WCAG 2).
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		r, g, b := lin(float64(c.R)/255), lin(float64(c.G)/255), lin(float64(c.B)/255)
		return 0.2126*r + 0.7152*g + 0.0722*b
	}
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x/y, y/x)
}

// Texts can be read on the grounds of each theme.
func TestTextsStandOut(t *testing.T) {
	for theme := range draw.Theme(draw.NumThemes) {
		p := draw.PaletteOf(theme)
		inks := []color.NRGBA{p.TextBright, p.TextNormal, p.TextDim, p.TextFaint, p.Accent, p.Green, p.Amber, p.Red,
			p.Collection, p.Strong}
		for i, ink := range inks {
			for j, ground := range []color.NRGBA{p.Background, p.Surface} {
				if got := contrast(ink, ground); got < 4.4 {
					t.Errorf("theme %d, ink %d on ground %d: got a contrast of %.1f; want 4.4", theme, i, j, got)
				}
			}
		}
		if a, b := p.TextNormal, p.Idle; contrast(a, b) < 4.4 {
			t.Errorf("theme %d: got a contrast of %.1f for the names of waits; want 4.4", theme, contrast(a, b))
		}
	}
}
