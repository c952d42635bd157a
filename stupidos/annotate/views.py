"""What the browser is told: the state of a session and of one page, as JSON values."""

from __future__ import annotations

from typing import Any

from stupidos.annotate.retrain import LEAST_PAGES
from stupidos.annotate.second_annotator import conflict
from stupidos.annotate.session import Session

MOST_NOTES = 20  # lines about repairs that are shown; the terminal has all of them


def overview(session: Session) -> dict[str, Any]:
    """Progress over the folder, the queue, the model and the agreement."""
    suggestions, retraining = session.suggestions, session.retraining
    confidence = dict(suggestions.confidence)
    pages = [
        {
            "name": name,
            "state": session.state(name),
            "confidence": confidence.get(name),
            "conflicts": session.conflicts(name),
        }
        for name in session.project.documents
    ]
    return {
        "folder": session.project.gold.resolve().name,
        "pages": pages,
        "queue": session.queue(),
        "ranking": suggestions.ranking,
        "undo": session.history.undo_page(),
        "model": {
            "name": suggestions.model,
            "trains": retraining.possible,
            "ready": sum(page["state"] == "finished" for page in pages) >= LEAST_PAGES,
            "training": retraining.running,
            "message": retraining.message,
            "failed": retraining.failed,
        },
        "agreement": agreement_view(session),
        "trouble": session.gold.trouble(),
        "notes": session.notes[-MOST_NOTES:],
    }


def agreement_view(session: Session) -> dict[str, Any] | None:
    """Agreement with a second annotator, where there is one."""
    if not session.project.other.pages:
        return None
    found = session.agreement()
    return {"words": found.words, "observed": found.observed, "kappa": found.kappa}


def page_view(session: Session, name: str) -> dict[str, Any]:
    """One page: every segment with its label, the suggestion, and the second opinion.

    A second opinion is told only once the page is finished: two annotators who see each other's
    labels are one annotator.
    """
    judged, labelling = session.labelling(name, fresh=True)
    theirs = session.project.other.labels(name, judged.texts())
    rows = []
    for i, verdict in enumerate(judged.verdicts):
        mine, other = labelling.labels[i], theirs[i]
        row = {
            "text": verdict.segment.text,
            "keep": mine.keep,
            "kind": mine.kind.value,
            "score": round(verdict.score, 3),
            "hand": labelling.by_hand[i],
        }
        if labelling.finished and other is not None and (conflict(mine, other) or labelling.settled[i]):
            row["other"] = {"keep": other.keep, "kind": other.kind.value}
            row["settled"] = labelling.settled[i]
        rows.append(row)
    return {
        "name": name,
        "title": judged.title,
        "version": judged.version(),
        "state": session.state(name),
        "confidence": judged.confidence,
        "segments": rows,
    }
