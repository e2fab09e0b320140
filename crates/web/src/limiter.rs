//! Counts accepted requests: at most a given number in every window. A refused request does not count. The counters
//! are in memory for one node, and in Redis for several.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::limits::Row;

/// A counter: a row of the table, for one caller.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// The row.
    pub row: Row,
    /// Whom it counts.
    pub key: String,
}

/// What a counter says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Requests left in the window.
    pub remaining: u32,
    /// Seconds until at least one more is free again.
    pub reset_seconds: u64,
}

/// The answer for a request.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// Counted in every bucket; the standing of each, in order.
    Accepted(Vec<Standing>),
    /// Counted nowhere.
    Refused {
        /// The place of the bucket with the longest wait.
        bucket: usize,
        /// Seconds until the request would be let through.
        seconds: u64,
    },
}

/// Where counters live.
#[derive(Clone)]
pub enum Limiter {
    /// In this process.
    Memory(Arc<Mutex<Memory>>),
    /// In Redis or Valkey, shared by all nodes.
    Redis(RedisLimiter),
}

/// The counters of one process.
#[derive(Default)]
pub struct Memory {
    logs: HashMap<String, VecDeque<i64>>,
    decisions_since_sweep: u32,
}

/// How often idle counters are dropped.
const SWEEP_EVERY: u32 = 4096;

impl Limiter {
    /// Counters in this process.
    pub fn in_memory() -> Self {
        Self::Memory(Arc::default())
    }

    /// Whether the counters can be reached; `None` when they are in this process.
    pub async fn is_reachable(&self) -> Option<bool> {
        let Limiter::Redis(shared) = self else { return None };
        let Ok(mut connection) = shared.connection().await else { return Some(false) };
        Some(redis::cmd("PING").query_async::<String>(&mut connection).await.is_ok())
    }

    /// Counts a request in all buckets, or in none; an error means that the counters could not be reached.
    pub async fn take(&self, buckets: &[Bucket], now: DateTime<Utc>) -> Result<Verdict, redis::RedisError> {
        match self {
            Limiter::Memory(memory) => {
                let mut memory = memory.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                Ok(memory.take(buckets, now.timestamp_micros()))
            }
            Limiter::Redis(shared) => shared.take(buckets, now).await,
        }
    }
}

fn seconds_up(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000).max(1)
}

impl Memory {
    fn take(&mut self, buckets: &[Bucket], now: i64) -> Verdict {
        self.sweep(now);
        let mut wait: Option<(u64, usize)> = None;
        for (place, bucket) in buckets.iter().enumerate() {
            let window = i64::from(bucket.row.window_seconds) * 1_000_000;
            let log = self.logs.entry(bucket.key.clone()).or_default();
            while log.front().is_some_and(|at| *at <= now - window) {
                log.pop_front();
            }
            if log.len() >= bucket.row.most as usize {
                let free_at = log.front().map_or(now, |at| at + window);
                wait = wait.max(Some((seconds_up(free_at - now), place)));
            }
        }
        if let Some((seconds, bucket)) = wait {
            return Verdict::Refused { bucket, seconds };
        }
        let standing = |bucket: &Bucket, logs: &mut HashMap<String, VecDeque<i64>>| {
            let log = logs.entry(bucket.key.clone()).or_default();
            log.push_back(now);
            let window = i64::from(bucket.row.window_seconds) * 1_000_000;
            Standing {
                remaining: bucket.row.most.saturating_sub(log.len() as u32),
                reset_seconds: log.front().map_or(0, |at| seconds_up(at + window - now)),
            }
        };
        Verdict::Accepted(buckets.iter().map(|bucket| standing(bucket, &mut self.logs)).collect())
    }

    /// Idle counters would pile up, one for every address that ever came by.
    fn sweep(&mut self, now: i64) {
        self.decisions_since_sweep += 1;
        if self.decisions_since_sweep >= SWEEP_EVERY {
            self.decisions_since_sweep = 0;
            let day = 86_400_000_000;
            self.logs.retain(|key, log| {
                let keep = if key.starts_with("mention") { day } else { 60_000_000 };
                log.back().is_some_and(|at| *at > now - keep)
            });
        }
    }
}

/// Counters in Redis.
#[derive(Clone)]
pub struct RedisLimiter {
    client: redis::Client,
    /// Created at the first request. If Redis is not available at the start, limits only fail open.
    connection: Arc<tokio::sync::OnceCell<redis::aio::ConnectionManager>>,
    script: Arc<redis::Script>,
}

/// KEYS: the logs. ARGV: the time, a unique member, then window and maximum of each. Either all are counted, or none.
const SCRIPT: &str = r"
local now, member, wait, refusing = tonumber(ARGV[1]), ARGV[2], 0, 0
for i, key in ipairs(KEYS) do
  local window, most = tonumber(ARGV[1 + 2 * i]), tonumber(ARGV[2 + 2 * i])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  if redis.call('ZCARD', key) >= most then
    local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
    local own = tonumber(first[2]) + window - now
    if own > wait then wait, refusing = own, i - 1 end
  end
end
if wait > 0 then return {0, wait, refusing} end
local out = {1}
for i, key in ipairs(KEYS) do
  local window, most = tonumber(ARGV[1 + 2 * i]), tonumber(ARGV[2 + 2 * i])
  redis.call('ZADD', key, now, member)
  redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1000)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  out[#out + 1] = most - redis.call('ZCARD', key)
  out[#out + 1] = tonumber(first[2]) + window - now
end
return out";

impl RedisLimiter {
    /// Counters at a `redis://…` address. The server is not contacted yet.
    pub fn at(url: &str) -> Result<Self, redis::RedisError> {
        let client = redis::Client::open(url)?;
        Ok(Self { client, connection: Arc::default(), script: Arc::new(redis::Script::new(SCRIPT)) })
    }

    async fn connection(&self) -> Result<redis::aio::ConnectionManager, redis::RedisError> {
        let config = redis::aio::ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_response_timeout(Some(Duration::from_millis(500)))
            .set_connection_timeout(Some(Duration::from_millis(500)));
        let connect = || redis::aio::ConnectionManager::new_with_config(self.client.clone(), config);
        self.connection.get_or_try_init(connect).await.cloned()
    }

    async fn take(&self, buckets: &[Bucket], now: DateTime<Utc>) -> Result<Verdict, redis::RedisError> {
        let mut call = self.script.prepare_invoke();
        for bucket in buckets {
            call.key(format!("planwright:limit:{}", bucket.key));
        }
        let member: [u8; 12] = planwright_domain::Entropy.bytes();
        call.arg(now.timestamp_micros()).arg(&member[..]);
        for bucket in buckets {
            call.arg(i64::from(bucket.row.window_seconds) * 1_000_000).arg(bucket.row.most);
        }
        let answer: Vec<i64> = call.invoke_async(&mut self.connection().await?).await?;
        Ok(match answer.split_first() {
            Some((1, rest)) => Verdict::Accepted(
                rest.chunks(2)
                    .map(|pair| Standing {
                        remaining: u32::try_from(pair[0]).unwrap_or(0),
                        reset_seconds: pair.get(1).copied().map_or(0, seconds_up),
                    })
                    .collect(),
            ),
            _ => Verdict::Refused {
                bucket: answer.get(2).and_then(|place| usize::try_from(*place).ok()).unwrap_or(0),
                seconds: answer.get(1).copied().map_or(1, seconds_up),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limit;

    fn bucket(limit: Limit, key: &str) -> Bucket {
        Bucket { row: limit.row(), key: key.into() }
    }

    #[test]
    fn in_any_sixty_seconds_no_more_than_the_rate_is_accepted_and_refusals_cost_nothing() {
        let mut memory = Memory::default();
        let buckets = [bucket(Limit::PasswordReset, "a")];
        for second in 0..5 {
            assert!(matches!(memory.take(&buckets, second * 1_000_000), Verdict::Accepted(_)));
        }
        let refused = |seconds| Verdict::Refused { bucket: 0, seconds };
        assert_eq!(memory.take(&buckets, 10_000_000), refused(50));
        assert_eq!(memory.take(&buckets, 59_500_000), refused(1));
        assert!(matches!(memory.take(&buckets, 60_000_000), Verdict::Accepted(_)));
        assert_eq!(memory.take(&buckets, 60_000_001), refused(1));
    }

    #[test]
    fn a_refusal_by_one_bucket_counts_in_no_other() {
        let mut memory = Memory::default();
        for _ in 0..5 {
            memory.take(&[bucket(Limit::LoginAccount, "name")], 0);
        }
        let both = [bucket(Limit::Login, "address"), bucket(Limit::LoginAccount, "name")];
        for _ in 0..20 {
            assert!(matches!(memory.take(&both, 1), Verdict::Refused { bucket: 1, .. }));
        }
        let alone = memory.take(&[bucket(Limit::Login, "address")], 2);
        assert!(matches!(alone, Verdict::Accepted(standing) if standing[0].remaining == 9));
    }
}
