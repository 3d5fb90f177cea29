from __future__ import annotations

from xml.etree import ElementTree

from indgen.sim.libero.building import contact_free

XML = """<body><joint name="a"/><geom contype="1"/><body><freejoint/><geom/><site name="s"/></body></body>"""


def test_what_is_added_touches_nothing_and_has_no_joint() -> None:
    body = contact_free(ElementTree.fromstring(XML))
    assert not [each for each in body.iter() if each.tag in ("joint", "freejoint")]
    assert [(geom.get("contype"), geom.get("conaffinity")) for geom in body.iter("geom")] == [("0", "0")] * 2
    assert body.find(".//site") is not None
