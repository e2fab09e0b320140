//! Traces and metrics for a collector, over OTLP with HTTP: switched on by `OTEL_EXPORTER_OTLP_ENDPOINT`.
//! Spans are those of the log; metrics are those of `/metrics`. A process without the setting sends nothing.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::PrometheusHandle;
use opentelemetry::KeyValue;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::trace::{Span as _, Tracer as _, TracerProvider as _};
use opentelemetry_otlp::{MetricExporter, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use crate::Settings;
use crate::telemetry::{COUNTERS, Figures, GAUGES};

/// How the collector is spoken to.
pub const PROTOCOL: &str = "http/protobuf";

/// What spans and metrics are called after.
const SCOPE: &str = "planwright";

/// How long the collector may take for one export.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often states such as the length of the queue are read.
const REFRESH: Duration = Duration::from_secs(30);

/// Where the collector is.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`, without a final slash. Empty: nothing is sent.
    pub endpoint: String,
    /// `OTEL_SERVICE_NAME`.
    pub service: String,
}

impl Collector {
    /// Reads the settings; an error names the one.
    pub fn from_settings(settings: &Settings) -> anyhow::Result<Self> {
        let endpoint = settings.text("OTEL_EXPORTER_OTLP_ENDPOINT").trim_end_matches('/').to_owned();
        let is_web = endpoint.starts_with("http://") || endpoint.starts_with("https://");
        if !endpoint.is_empty() && !is_web {
            anyhow::bail!(
                "OTEL_EXPORTER_OTLP_ENDPOINT: {endpoint:?} does not begin with http:// or https://"
            );
        }
        Ok(Self { endpoint, service: settings.text("OTEL_SERVICE_NAME") })
    }
}

/// What sends spans and metrics to a collector.
pub struct Pipeline {
    tracers: SdkTracerProvider,
    meters: SdkMeterProvider,
}

impl Pipeline {
    /// A pipeline to a collector. Its client blocks, so call this outside the async threads.
    pub fn to(collector: &Collector) -> anyhow::Result<Self> {
        planwright_egress::choose_cryptography();
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource =
            Resource::builder().with_service_name(collector.service.clone()).with_attribute(version).build();
        let spans = SpanExporter::builder()
            .with_http()
            .with_endpoint(format!("{}/v1/traces", collector.endpoint))
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(PATIENCE)
            .build()
            .context("OTEL_EXPORTER_OTLP_ENDPOINT")?;
        let figures = MetricExporter::builder()
            .with_http()
            .with_endpoint(format!("{}/v1/metrics", collector.endpoint))
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(PATIENCE)
            .build()
            .context("OTEL_EXPORTER_OTLP_ENDPOINT")?;
        let tracers =
            SdkTracerProvider::builder().with_batch_exporter(spans).with_resource(resource.clone()).build();
        let meters =
            SdkMeterProvider::builder().with_periodic_exporter(figures).with_resource(resource).build();
        Ok(Self { tracers, meters })
    }

    /// The tracer for the spans of the log.
    pub fn tracer(&self) -> SdkTracer {
        self.tracers.tracer(SCOPE)
    }

    /// Has the metrics of this process sent at regular times.
    pub fn send_figures(&self, recorded: &PrometheusHandle) {
        let meter = self.meters.meter(SCOPE);
        for (name, help) in COUNTERS {
            let recorded = recorded.clone();
            let observe = move |observer: &dyn opentelemetry::metrics::AsyncInstrument<f64>| {
                for (value, labels) in samples(&recorded.render(), name) {
                    observer.observe(value, &labels);
                }
            };
            meter.f64_observable_counter(name).with_description(help).with_callback(observe).build();
        }
        for (name, help) in GAUGES {
            let recorded = recorded.clone();
            let observe = move |observer: &dyn opentelemetry::metrics::AsyncInstrument<f64>| {
                for (value, labels) in samples(&recorded.render(), name) {
                    observer.observe(value, &labels);
                }
            };
            meter.f64_observable_gauge(name).with_description(help).with_callback(observe).build();
        }
    }

    /// Sends one span and one metric, and waits for the answer of the collector.
    ///
    /// # Errors
    /// When the collector does not take them.
    pub fn try_out(&self) -> anyhow::Result<()> {
        let mut span = self.tracer().start("telemetry_test");
        span.end();
        let counter = self.meters.meter(SCOPE).u64_counter("planwright_telemetry_tests_total").build();
        counter.add(1, &[]);
        self.tracers.force_flush().context("the collector took no traces")?;
        self.meters.force_flush().context("the collector took no metrics")
    }

    /// Sends what is left and ends.
    pub fn end(&self) {
        let (traces, metrics) = (self.tracers.shutdown(), self.meters.shutdown());
        for error in [traces.err(), metrics.err()].into_iter().flatten() {
            tracing::warn!(%error, "the last traces or metrics did not reach the collector");
        }
    }
}

/// The pipeline that the settings want, if they want one.
pub async fn begin(settings: &Settings) -> anyhow::Result<Option<Arc<Pipeline>>> {
    let collector = Collector::from_settings(settings)?;
    if collector.endpoint.is_empty() {
        return Ok(None);
    }
    let pipeline = tokio::task::spawn_blocking(move || Pipeline::to(&collector)).await??;
    Ok(Some(Arc::new(pipeline)))
}

/// Reads what is a state rather than an event at regular times, since nobody asks for `/metrics`.
pub async fn refresh(figures: Figures) {
    loop {
        figures.text().await;
        tokio::time::sleep(REFRESH).await;
    }
}

/// Sends what is left.
pub async fn finish(pipeline: Option<Arc<Pipeline>>) {
    let Some(pipeline) = pipeline else { return };
    if let Err(error) = tokio::task::spawn_blocking(move || pipeline.end()).await {
        tracing::warn!(%error, "the last traces and metrics were not sent");
    }
}

/// The values of a metric in the text of `/metrics`, with their labels.
fn samples(text: &str, name: &str) -> Vec<(f64, Vec<KeyValue>)> {
    let sample = |line: &str| {
        let rest = line.strip_prefix(name)?;
        let (labels, value) = match rest.strip_prefix('{') {
            Some(rest) => rest.rsplit_once("} ")?,
            None => ("", rest.strip_prefix(' ')?),
        };
        let label = |pair: &str| {
            let (key, value) = pair.split_once("=\"")?;
            Some(KeyValue::new(key.to_owned(), value.trim_end_matches('"').to_owned()))
        };
        Some((value.trim().parse().ok()?, labels.split("\",").filter_map(label).collect()))
    };
    text.lines().filter_map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_read_with_its_labels() {
        let text = "# HELP a_total x\na_total{method=\"GET\",status=\"200\"} 3\na_total_more 5\nb 1.5\n";
        let read = samples(text, "a_total");
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].0, 3.0);
        assert_eq!(read[0].1, [KeyValue::new("method", "GET"), KeyValue::new("status", "200")]);
        assert_eq!(samples(text, "b"), [(1.5, Vec::new())]);
    }
}
