"""What the sections of a policy are made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
MOST = 2**31 - 1  # the contracts' counts are int32
MOST_BYTES = 2**63 - 1
Positive = Annotated[int, Field(ge=1, le=MOST)]
Count = Annotated[int, Field(ge=0, le=MOST)]
Bytes = Annotated[int, Field(ge=1, le=MOST_BYTES)]
Weight = Annotated[float, Field(ge=0)]


class Section(BaseModel):
    """Keys and values that never change; others are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True, allow_inf_nan=False)
