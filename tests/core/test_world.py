from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indgen.core.wire import pack, unpack
from indgen.core.world import View

VIEWS = st.builds(
    View,
    max_steps=st.integers(1, 999),
    success=st.sampled_from(("published", "strict")),
    images=st.dictionaries(st.text(max_size=5), st.tuples(st.integers(1, 512), st.integers(1, 512)), max_size=3),
    privileged=st.booleans(),
    history=st.lists(st.integers(1, 9), unique=True, max_size=3).map(lambda offsets: tuple(sorted(offsets))),
    video_every=st.integers(0, 4),
)


@given(VIEWS)
def test_a_view_survives_the_wire(view: View) -> None:
    assert View.from_dict(unpack(pack(view.to_dict()))) == view


@given(VIEWS)
def test_a_view_renders_for_images_and_videos_alone(view: View) -> None:
    assert view.renders == (len(view.images) + view.video_every > 0)
