"""The JSON values that the browser gets: the overview of a session, and one page."""

from __future__ import annotations

from typing import Any

from stupidos.annotate.agreement import Agreement
from stupidos.annotate.comparison import Conflict
from stupidos.annotate.labels import Label
from stupidos.annotate.retrain import MIN_FINISHED_PAGES
from stupidos.annotate.second_annotator import conflict
from stupidos.annotate.session import Session

_MAX_NOTES = 20  # latest lines about repairs; the terminal has all of them


def overview(session: Session) -> dict[str, Any]:
    """Progress over the folder, the queue, the model and the agreement."""
    suggestions, retraining = session.suggestions, session.retraining
    confidence = dict(suggestions.confidence)
    pages = [
        {
            "name": name,
            "title": session.title(name),
            "state": session.state(name),
            "accepted": session.history.accepted(name),
            "confidence": confidence.get(name),
            "conflicts": session.conflicts(name),
        }
        for name in session.project.raw_pages
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
            "ready": sum(page["state"] == "finished" for page in pages) >= MIN_FINISHED_PAGES,
            "training": retraining.running,
            "message": retraining.message,
            "failed": retraining.failed,
        },
        "agreement": _agreement_view(session),
        "trouble": session.gold.error_message(),
        "notes": session.notes[-_MAX_NOTES:],
    }


def _agreement_view(session: Session) -> dict[str, Any] | None:
    """Agreement with the second annotator; None if there is no second annotator."""
    if not session.project.second.pages:
        return None
    summary = session.comparison.summary()
    return {**_agreement(summary.agreement), "accepted": summary.accepted}


def _agreement(agreement: Agreement) -> dict[str, Any]:
    return {"words": agreement.words, "observed": agreement.observed, "kappa": agreement.kappa}


def comparison_view(session: Session) -> dict[str, Any]:
    """Every page that both annotators finished, those with open conflicts first, each with its conflicts."""
    comparison = session.comparison
    names = [name for name in comparison.compared() if name in session.project.raw_pages]
    pages = [
        {
            "name": name,
            "title": session.title(name),
            "accepted": comparison.accepted(name),
            "open": comparison.open_conflicts(name),
            "conflicts": [_conflict(each) for each in comparison.conflicts(name)],
            **_agreement(comparison.agreement(name)),
        }
        for name in names
    ]
    return {"pages": sorted(pages, key=lambda page: (-page["open"], page["observed"], page["name"]))}


def _conflict(each: Conflict) -> dict[str, Any]:
    return {
        "segment": each.segment,
        "text": each.text,
        "ours": _label(each.ours),
        "theirs": _label(each.theirs),
        "settled": each.settled,
    }


def _label(label: Label) -> dict[str, Any]:
    return {"keep": label.keep, "kind": label.kind.value}


def page_view(session: Session, name: str) -> dict[str, Any]:
    """One page: every segment with its label, the model's score, and a conflicting second label.

    Second labels are included only once the page is finished, so that the two annotators stay
    independent.
    """
    suggestion, page = session.page_labels(name, fresh=True)
    theirs = session.project.second.labels(name, suggestion.texts())
    rows = []
    for i, verdict in enumerate(suggestion.verdicts):
        ours, other = page.labels[i], theirs[i]
        row = {
            "text": verdict.segment.text,
            "keep": ours.keep,
            "kind": ours.kind.value,
            "score": round(verdict.score, 3),
            "hand": page.by_hand[i],
        }
        if page.finished and other is not None and (conflict(ours, other) or page.settled[i]):
            row["other"] = _label(other)
            row["settled"] = page.settled[i]
        rows.append(row)
    return {
        "name": name,
        "title": suggestion.title,
        "version": suggestion.version(),
        "state": session.state(name),
        "accepted": session.history.accepted(name),
        "confidence": suggestion.confidence,
        "segments": rows,
    }
