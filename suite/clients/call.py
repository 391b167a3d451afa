"""One typed call against a running server: `call.py BASE KEY`."""

import sys

from dalil_client import AuthenticatedClient
from dalil_client.api.sessions import list_sessions, open_session
from dalil_client.models import NewSession, OpenedSession, SessionPage

base, key = sys.argv[1:]
with AuthenticatedClient(base_url=base, token=key) as client:
    order = NewSession(
        answer="Permanent employees receive 15 days of leave.",
        query="How many days of leave?",
        session_id="python",
    )
    opened = open_session.sync(client=client, body=order)
    assert isinstance(opened, OpenedSession), opened
    listed = list_sessions.sync(client=client, limit=10)
    assert isinstance(listed, SessionPage), listed
    (session,) = (one for one in listed.items if one.session_id == opened.session_id)
    assert (session.query, session.index) == (order.query, opened.index), session
print(f"Python: session {session.session_id} is record {session.index}")
