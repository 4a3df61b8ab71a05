"""A turn as composes read it: what it gives, and that it is read once for its bytes."""

from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Message, Ref, Turn, TurnEvents

from brain_core.compose.said import said_in

TURN = Turn(
    session_id="s",
    turn_id="t1",
    events=TurnEvents(
        messages=[
            Message(message_id="t1.0", role="user", speaker="Ann", content="See https://a.example/x."),
            Message(message_id="t1.1", role="tool", content="https://b.example/y"),
        ],
        refs=[Ref(uri="file:///z")],
    ),
)


def test_a_turn_gives_texts_and_addresses_without_what_tools_said() -> None:
    said = said_in("m", TURN.SerializeToString())
    assert (said.turn_id, said.uri) == ("t1", "smartbrain://m/s/t1")
    assert said.texts == ("See https://a.example/x.",)
    assert said.addresses == ("https://a.example/x", "file:///z")


def test_a_message_is_shown_as_it_is_or_with_other_content() -> None:
    message = said_in("m", TURN.SerializeToString()).messages[0]
    [shown] = ContextPackage.FromString(message.shown).recent_turns
    assert (shown.role, shown.speaker, shown.turn_id, shown.message_id) == ("user", "Ann", "t1", "t1.0")
    [other] = ContextPackage.FromString(message.showing("cut").shown).recent_turns
    assert (other.content, other.message_id, message.content) == ("cut", "t1.0", "See https://a.example/x.")


def test_a_turn_is_read_once_for_its_bytes_and_memory_but_a_large_one_each_time() -> None:
    record = TURN.SerializeToString()
    assert said_in("m", record) is said_in("m", bytes(bytearray(record)))
    assert said_in("other", record).uri != said_in("m", record).uri
    large = Turn(turn_id="t2", events=TurnEvents(messages=[Message(content="x" * 9_000)])).SerializeToString()
    assert said_in("m", large) is not said_in("m", large)
