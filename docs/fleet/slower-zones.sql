-- Which zone became slower, and in which version?
with mean as (
  select version, zone, sum(self_ms) / count(distinct file) as ms from calls where idle = 0 group by version, zone
), ordered as (
  select version, zone, ms, lag(ms) over (partition by zone order by version) as before_ms from mean
)
select version, zone, before_ms, ms, ms / before_ms as ratio
from ordered where before_ms > 1 order by ms - before_ms desc, zone limit 10;
