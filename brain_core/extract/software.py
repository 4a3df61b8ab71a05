"""Names with a capital that are of no place: software, plans, teams. One moves to them as one moves to a town."""

from __future__ import annotations

import re

from brain_core.text.expression import Expression

_SOFTWARE = (
    "AKS Airflow Airtable Akka Amplitude Anaconda Android Angular Ansible Apache Argo ArgoCD Asana Astro AWS Azure "
    "Backstage Basecamp Bazel BigQuery Bitbucket Bitwarden Bootstrap Buildkite Bun Cassandra Celery Ceph Chrome "
    "CircleCI Clickhouse Clojure CloudFront Cloudflare Cockroach Confluence Consul Copilot CouchDB Cursor Cypress "
    "Dagster Dapr Databricks Datadog dbt Debian Deno Devin Discord Django Docker Drupal Dropbox DuckDB DynamoDB ECS "
    "EKS Elastic Elasticsearch Elixir Emacs Ember Envoy Erlang ESLint Express FastAPI Fargate Fedora Figma Firebase "
    "Firefox Flask Flink Flutter Fly Gatsby GCP Gemini Git Gitea GitHub GitLab GKE Gmail Go Golang Gradle Grafana "
    "GraphQL gRPC Hadoop Haskell Helm Heroku Hetzner Hugo iCloud Influx Intercom iOS Istio Java17 JavaScript Jenkins "
    "Jest Jira jQuery JSON Jupyter K3s K8s Kafka Keycloak Kibana Kotlin Kubernetes Lambda Laravel Linux Linode Lisp "
    "Logseq Looker macOS Mailchimp MariaDB Markdown Maven Memcached Mercurial Miro Mongo MongoDB Monorepo MySQL NATS "
    "Neo4j Neovim Netlify Nginx Next Node Nomad Notion NPM Nuxt Obsidian OCaml Okta OpenSearch OpenShift OpenStack "
    "Oracle Outlook Pandas PHP Pinecone Playwright pnpm Podman Poetry Polars Postgres PostgreSQL Postman PowerBI "
    "Prisma Prometheus Puppet Pulumi PyCharm Pydantic Pytest Python PyTorch Qdrant Quarkus RabbitMQ Rails React Redis "
    "Redshift Redux REST Ruby Rust S3 Safari Salesforce Sass Scala Selenium Sentry ServiceNow Shopify Signal Slack "
    "Snowflake Solr Spark Splunk Spring SQL SQLite Stripe Supabase Svelte SVN Swift Tableau Tailwind Teams Telegram "
    "TensorFlow Terraform Thunderbird Todoist Trello TypeScript Typesense Ubuntu uv Vault Vercel Vim Vite Vitest "
    "VSCode Vue Webflow Webpack WhatsApp Windows WordPress Yarn YAML Zapier Zed Zendesk Zig Zoom"
)
_TEAMS = (
    "Marketing Sales Finance Engineering HR Legal Product Support IT Ops DevOps Accounting Procurement Logistics "
    "Management QA Research Operations"
)
_DAYS = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August "
    "September October November December"
)
_NUMBERED = "Plan Phase Version Step Stage Level Tier Option Sprint Team Group Chapter Row Seat Room Section Slide Task"
_NO_PLACE = Expression(
    rf"(?:the )?(?:(?i:{'|'.join(_SOFTWARE.split())})|{'|'.join(f'{_TEAMS} {_DAYS}'.split())})(?![\w-])|"
    rf"(?i:{'|'.join(_NUMBERED.split())}) (?:[A-Z]|\d+\w?)(?!\w)|"
    r"(?!Mc|Mac|De|La|Le|Du|O['’])[A-Z]?[a-z]+[A-Z]|\w+(?:DB|SQL|JS|OS)(?!\w)|\w+\.(?:js|io|ai|dev|net|py|com)(?!\w)|"
    r"(?:Microsoft|Google|Amazon|Apple|Apache|GitHub|Azure|Red Hat|Oracle|Adobe) "
)


def is_no_place(name: str) -> bool:
    """Return whether what a name begins with is software, a plan or a team, to which one moves and where none lives."""
    return re.match(r"\d", name) is not None or _NO_PLACE.match(name.strip()) is not None
