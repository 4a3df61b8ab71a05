"""Tools that are used in writing software, of which one takes another's place."""

from __future__ import annotations

_TOOLS = (
    "pnpm npm yarn bun deno pip pipx pipenv uv uvx poetry conda mamba hatch pdm cargo gradle maven mvn bazel cmake "
    "make just ninja nix pytest unittest nose jest vitest mocha jasmine cypress playwright selenium junit testng "
    "rspec minitest ruff black isort flake8 pylint mypy pyright eslint biome prettier stylelint rubocop clippy rustfmt "
    "gofmt webpack vite rollup esbuild parcel turbo turborepo nx lerna tox docker podman kubectl helm terraform "
    "opentofu tofu pulumi ansible salt git svn axios fetch requests httpx aiohttp lodash moment dayjs date-fns luxon "
    "pandas polars redux zustand mobx pinia vuex sqlalchemy prisma typeorm drizzle knex flask fastapi django express "
    "koa fastify nest axum actix tokio async-std winston pino log4j slf4j logback loguru structlog sass less tailwind "
    "bootstrap tabs spaces rebase merge zsh bash fish"
)
TOOL = rf"(?:{'|'.join(sorted(_TOOLS.split(), key=len, reverse=True))})"
"""A tool in a pattern, in lower case."""
