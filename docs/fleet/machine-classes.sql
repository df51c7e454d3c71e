-- On which class of machines did a zone become slower, and in which version?
with mean as (
  select machine, calls.version, zone, sum(self_ms) / count(distinct file) as ms
  from calls join captures using (file) where idle = 0 group by machine, calls.version, zone
), ordered as (
  select machine, version, zone, ms, lag(ms) over (partition by machine, zone order by version) as before_ms from mean
)
select machine, version, zone, before_ms, ms, ms / before_ms as ratio
from ordered where before_ms > 50 order by ratio desc limit 10;
