"""The page at /ask/: plain HTML under a strict policy, for everybody."""

from django.test import AsyncClient


async def test_the_page_is_there_for_everybody_under_a_strict_policy() -> None:
    response = await AsyncClient().get("/ask/")
    policy = response["Content-Security-Policy"]
    assert response.status_code == 200
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    page = response.content.decode()
    assert "Evidence desk" in page
    assert 'data-most="500"' in page
    assert "<script>" not in page
    assert "style=" not in page
