"""Draw the picture of README.md: a curve, a map of classes, a manifold of images.

python tools/overview.py    writes tools/overview.png, in about a minute
"""

from pathlib import Path

from ukrlearn import UKR, KernelDensityClassifier, datasets, figures


def main():
    figure, (curve, classes, images) = figures.blank(1, 3, size=(12, 3.8))

    Y, t = datasets.noisy_spiral(noise=0.02, random_state=0)
    model = UKR(n_components=1).fit(Y)
    figures.data(curve, Y, t, title="A curve through a noisy spiral")
    figures.manifold(curve, model.embedding_, Y)

    Y, labels = datasets.simulated_oil_flow(1000, random_state=0)
    model = UKR(init="pca", homotopy=True, max_iter=300).fit(Y)
    X = model.embedding_
    figures.latent_map(
        classes,
        X,
        labels,
        KernelDensityClassifier().fit(X, labels),
        trained_on=X,
        density_threshold=model.density_threshold_,
        palette="oil_flow",
        title="Twelve sensors of an oil pipe, in the plane",
    )

    Y, _ = datasets.digits(label=2)
    model = UKR(init="lle", max_iter=100).fit(Y)
    title = "Handwritten twos, and those between them"
    figures.sampled_manifold(images, model.embedding_, Y, (8, 8), title=title)

    picture = figures.show(figure, "A fitted curve, a map of three classes, a grid of digits.")
    Path(__file__).with_suffix(".png").write_bytes(picture.png(dpi=120))


if __name__ == "__main__":
    main()
