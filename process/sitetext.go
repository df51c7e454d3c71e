package process

// ambiguous marks a name in rows.sites that several zones have.
const ambiguous = -1

// site returns the site of a zone as text if another zone has the same name, else "".
func (s *builder) site(zone ZoneID) string {
	r := &s.rows
	if r.sitesOf > len(s.zones) {
		r.sitesOf, r.siteText = 0, nil
		clear(r.sites)
	}
	if r.sites == nil {
		r.sites = make(map[string]ZoneID)
	}
	for ; r.sitesOf < len(s.zones); r.sitesOf++ {
		r.siteText = append(r.siteText, "")
		s.nameSite(ZoneID(r.sitesOf))
	}
	return r.siteText[zone]
}

// nameSite gives a site to a zone whose name is taken, and to the other zone of that name.
func (s *builder) nameSite(zone ZoneID) {
	r, name := &s.rows, s.zones[zone].Name
	first, taken := r.sites[name]
	if !taken {
		r.sites[name] = zone
		return
	}
	r.siteText[zone] = s.zones[zone].Site()
	if first != ambiguous {
		r.siteText[first] = s.zones[first].Site()
		r.sites[name] = ambiguous
	}
}
