-- Is a zone called more often, or does a call take longer?
select zone, version, sum(count) * 1.0 / count(distinct file) as calls, sum(self_ms) / sum(count) as call_ms
from calls where idle = 0 group by zone, version having sum(count) > 0 order by zone, version;
