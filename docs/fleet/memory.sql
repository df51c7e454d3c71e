-- Does a version allocate more, or is it collected more often?
select version, avg(alloc_bytes) as alloc_bytes, sum(gc_cycles) * 1000.0 / count(*) as cycles_in_1000,
  sum(gc_pause_ms) as pause_ms
from memory group by version order by version;
